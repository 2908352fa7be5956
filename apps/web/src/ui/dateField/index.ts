export { DateField, dayOf, dayText } from "./DateField.tsx";

export { clockTime, TimeField } from "./TimeField.tsx";

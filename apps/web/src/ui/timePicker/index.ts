export { TimePicker } from "./TimePicker.tsx";

export { PickerField, type Picked, type PickerTexts } from "./PickerField.tsx";

export type { Picked } from "./Offers.tsx";
export { PickerField, type PickerTexts } from "./PickerField.tsx";
export { SuggestField } from "./SuggestField.tsx";

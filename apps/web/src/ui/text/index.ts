export { parseRed, type TextPart } from "./parseRed.ts";
export { RedText } from "./redText.tsx";

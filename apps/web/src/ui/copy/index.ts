export { copyText } from "./copyText.ts";
export { ShownOnce } from "./ShownOnce.tsx";

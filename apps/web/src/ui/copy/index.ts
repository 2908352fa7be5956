export { copyText, type Told } from "./copyText.ts";

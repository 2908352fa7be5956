export { correctTie } from "./correction.ts";
export { checkCorrection } from "./correctionCheck.ts";

export { saveFile, toCsv } from "./csv.ts";

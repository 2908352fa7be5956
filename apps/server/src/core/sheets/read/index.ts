/** For threads that read files: the library of spreadsheets is loaded there and not by the server. */
export { SheetFault } from "./fault.ts";
export { headingText, isNumbering } from "./headed.ts";
export { fieldNamed } from "./heads.ts";
export { readTable, type ReadTable } from "./readSheet.ts";
export { textOf } from "./textOf.ts";

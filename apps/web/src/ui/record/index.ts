export { defineRecord, type RecordForm } from "./defineRecord.ts";
export { filled } from "./filled.ts";
export { RecordDialog } from "./RecordDialog.tsx";
export { rowsOf } from "./rowsOf.ts";

export { defineRecord, type RecordForm } from "./defineRecord.ts";
export { RecordDialog } from "./RecordDialog.tsx";
export { rowsOf } from "./rows.tsx";

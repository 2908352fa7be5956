export { defineRecord, defineRecordPage, type RecordForm } from "./defineRecord.ts";
export { filled } from "./filled.ts";
export { RecordDialog } from "./RecordDialog.tsx";
export { RecordPage } from "./RecordPage.tsx";
export { rowsOf } from "./rowsOf.ts";

export { hasControls } from "./hasControls.ts";
export { BulkControlDialog, ControlDialog, ScheduleDialog } from "./LazyDialog.ts";

export { hasControls } from "./hasControls.ts";
export { ControlDialog, ScheduleDialog } from "./LazyDialog.ts";

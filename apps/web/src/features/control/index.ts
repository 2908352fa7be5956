export { hasControls, hasGatewayControls, type GatewayModel } from "./hasControls.ts";
export { BulkControlDialog, ControlDialog, GatewayControlDialog, ScheduleDialog } from "./LazyDialog.ts";

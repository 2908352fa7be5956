export { BridgeDialog, BridgePanel } from "./LazyDialog.ts";
export { canBeLent } from "./port.ts";

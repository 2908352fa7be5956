export { BridgeDialog } from "./LazyDialog.ts";
export { canBeLent } from "./port.ts";

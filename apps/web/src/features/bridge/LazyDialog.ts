import { lazy } from "react";

/** Few lend a line: the code of the dialog comes when it is opened. */
export const BridgeDialog = lazy(async () => ({
  default: (await import("./BridgeDialog.tsx")).BridgeDialog,
}));

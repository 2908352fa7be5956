import { lazy } from "react";

/** Rarely used, so the code of the dialog is loaded on demand. */
export const BridgeDialog = lazy(async () => ({
  default: (await import("./BridgeDialog.tsx")).BridgeDialog,
}));

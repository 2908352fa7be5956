import { lazily } from "#lib/load";

/** Rarely used, so the code of the dialog is loaded on demand. */
export const BridgeDialog = lazily(async () => ({
  default: (await import("./BridgeDialog.tsx")).BridgeDialog,
}));

/** The same within the control dialogs of a device and of a gateway. */
export const BridgePanel = lazily(async () => ({
  default: (await import("./BridgePanel.tsx")).BridgePanel,
}));

import { lazily } from "#lib/load";

/** The vocabulary of commands and the dialog are loaded when it is opened. */
export const ControlDialog = lazily(async () => ({
  default: (await import("./ControlDialog.tsx")).ControlDialog,
}));

/** The cards of the stored schedule, of a device in a list. */
export const ScheduleDialog = lazily(async () => ({
  default: (await import("./ScheduleDialog.tsx")).ScheduleDialog,
}));

/** A command to many devices, of their list or of a group. */
export const BulkControlDialog = lazily(async () => ({
  default: (await import("./bulk/BulkControlDialog.tsx")).BulkControlDialog,
}));

/** Commands for a gateway. */
export const GatewayControlDialog = lazily(async () => ({
  default: (await import("./GatewayControlDialog.tsx")).GatewayControlDialog,
}));

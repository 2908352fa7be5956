import { lazy } from "react";

/** The vocabulary of commands and the dialog are loaded when it is opened. */
export const ControlDialog = lazy(async () => ({
  default: (await import("./ControlDialog.tsx")).ControlDialog,
}));

/** The cards of the stored schedule, of a device in a list. */
export const ScheduleDialog = lazy(async () => ({
  default: (await import("./ScheduleDialog.tsx")).ScheduleDialog,
}));

import type { DeviceState } from "@metrum/contract/metering";
import type { StatusKind } from "./Status.tsx";

/** The shape of each state of a metering device, in its list, on its page and on the dialogs about it. */
export const stateKinds: Readonly<Record<DeviceState, StatusKind>> = {
  on_time: "ok",
  silent: "silent",
  never: "silent",
  off: "off",
};

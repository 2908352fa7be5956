import type { DeviceCommand } from "@metrum/contract/headend";
import type { StatusKind } from "#ui/status";

/** Shape of each state of a command. */
export const outcomeKinds: Readonly<Record<DeviceCommand["state"], StatusKind>> = {
  queued: "pending",
  sending: "pending",
  done: "ok",
  failed: "alarm",
  expired: "warn",
  cancelled: "off",
  unknown: "off",
};

import { z } from "zod/mini";
import { DeviceSelection } from "../metering/devices.ts";
import type { ProblemCode } from "../core/problems.ts";

/** Devices of a request by the filter of their list; a filter that matches none refuses it. */
export const RequestSelection = z.omit(DeviceSelection, { gateway_ids: true });

/** What a user proves again before commands with great consequences. */
export const ControlProof = {
  current_password: z.optional(z.string().check(z.minLength(1), z.maxLength(1000))),
  one_t_p: z.optional(z.string().check(z.maxLength(40))),
  device_count: z
    .optional(z.int())
    .check(z.describe("number of devices that are switched off, as the user has typed it")),
};

/** The devices that a plan has named as able, in a short form. */
export const Checked = z.string().check(z.minLength(1), z.maxLength(100));

/** Refusals of every request that may hold a command. */
export const commandProblems = [
  "not_found",
  "command_unsupported",
  "device_put_away",
  "tied_devices_only",
  "request_refused",
  "request_in_flight",
  "control_frozen",
  "control_others",
  "control_repeated",
  "control_limit",
  "control_proof",
  "password_wrong",
  "one_time_code_wrong",
  "demo_refused",
] as const satisfies readonly ProblemCode[];

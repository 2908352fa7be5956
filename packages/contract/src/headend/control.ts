import { z } from "zod/mini";
import { Checked, commandProblems, ControlProof, RequestSelection } from "./controlProof.ts";
import { commandMessages, type CommandMessage } from "./commandMessages.ts";
import { call } from "../core/call.ts";
import { BoundedObject, Id, IdText, Nothing, paged, Seconds, ShortText } from "../core/values.ts";
import { DeviceIds, DeviceTask } from "./tasks.ts";

/**
 * States of a command. Stored by these names. `sending` is committed before the first byte; `unknown`: the
 * device may or may not have carried it out.
 */
export const commandStates = [
  "queued",
  "sending",
  "done",
  "failed",
  "expired",
  "cancelled",
  "unknown",
] as const;
export type CommandState = (typeof commandStates)[number];

/** Actuations that are sent within a minute, and switch-offs within ten minutes without a proof. */
export const controlLimits = { perCompany: 60, perUser: 20, switchOffs: 20 } as const;

/** Why a device cannot carry out a command. */
export const unableReasons = ["model", "arguments", "put_away", "no_line"] as const;
export type UnableReason = (typeof unableReasons)[number];

const messageCodes = Object.keys(commandMessages) as [CommandMessage, ...CommandMessage[]];

const State = z.record(z.string(), z.unknown());

const Command = z.object({
  id: z.int(),
  device_task_id: Id,
  device_id: Id,
  key: z.string(),
  management: BoundedObject,
  state: z.enum(commandStates),
  user_id: z.nullable(Id),
  user_name: z.nullable(z.string()),
  created_at: Seconds,
  expires_at: Seconds,
  sent_at: z.nullable(Seconds),
  ended_at: z.nullable(Seconds),
  attempts: z.int(),
  result_code: z.nullable(z.int()),
  message: z.string().check(z.describe("what the device or its driver has said, as it was given")),
  message_code: z.nullable(z.enum(messageCodes)).check(z.describe("what the platform says of the outcome")),
  before: z.nullable(State).check(z.describe("last known state when the command was requested")),
  after: z.nullable(State).check(z.describe("state that the device has told since")),
});
/** A command to one device. */
export type DeviceCommand = z.infer<typeof Command>;

const Freeze = z.object({
  company_id: z.nullable(Id).check(z.describe("null: the whole installation")),
  company_name: z.nullable(z.string()),
  reason: z.string(),
  since: Seconds,
  user_name: z.nullable(z.string()).check(z.describe("who has stopped it; null: the account was deleted")),
});
/** Outgoing actuation stopped by staff of the provider. */
export type ControlFreeze = z.infer<typeof Freeze>;

const Plan = z.object({
  device_count: z.int(),
  able_count: z.int(),
  unable: z
    .array(z.object({ device_id: Id, device_name: z.string(), reason: z.enum(unableReasons) }))
    .check(z.describe("the first 1000 of them")),
  unable_count: z.int(),
  checked: Checked.check(
    z.describe("the devices that can; sent back, it refuses the command for any others"),
  ),
  switches_off: z.boolean(),
  needs: z
    .array(z.enum(["device_count", "current_password", "one_t_p"]))
    .check(z.describe("what the user proves with the request; a password or a code suffices")),
  expires_in: z.int().check(z.describe("seconds until commands that were not sent expire")),
});
export type ControlPlan = z.infer<typeof Plan>;

export const control = {
  device: call({
    id: "device.control",
    method: "POST",
    path: "device/control",
    right: "4:read|4:update",
    reach: "branch",
    summary:
      "Sends a request to one device and returns the outcome; keys that change the device need update on module 4",
    body: z.object({
      id: Id,
      management: BoundedObject,
      title: z.optional(ShortText),
      title_en: z.optional(ShortText),
      ...ControlProof,
    }),
    reply: z.object({
      msg: z.string(),
      control_set: z.object({ result: z.optional(z.string()), error: z.optional(z.string()) }),
      device_task: DeviceTask,
    }),
    atTop: ["msg", "control_set"],
    isOnce: true,
    problems: [...commandProblems, "task_limit"],
  }),
  plan: call({
    id: "control.plan",
    isOwn: true,
    method: "POST",
    path: "device/control/plan",
    right: "4:read",
    reach: "branch",
    summary: "How many of these devices can carry out a command, and which cannot and why",
    body: z.object({
      management: BoundedObject,
      device_ids: z.optional(DeviceIds),
      poll_group_id: z.optional(Id),
      filter: z.optional(RequestSelection),
    }),
    reply: z.object({ plan: Plan }),
    problems: ["not_found", "command_unsupported"],
  }),
  list: call({
    id: "control.list",
    isOwn: true,
    method: "POST",
    path: "device/control/list",
    right: "4:read",
    reach: "branch",
    summary: "Commands to a device, newest first",
    body: z.object({
      device_id: Id,
      page: z.optional(z.int().check(z.gte(1), z.lte(1_000_000))),
      per_page: z.optional(z.int().check(z.gte(1), z.lte(10_000))),
    }),
    reply: z.object({ commands: paged(Command) }),
    problems: ["not_found"],
  }),
  state: call({
    id: "control.state",
    isOwn: true,
    method: "GET",
    path: "device/control/state",
    right: "4:read",
    reach: "branch",
    summary: "Whether outgoing actuation is stopped, and whether commands ask for a second factor",
    reply: z.object({ freezes: z.array(Freeze), asks_second_factor: z.boolean() }),
  }),
  settingsClear: call({
    id: "device.settingsClear",
    method: "POST",
    path: "device/settings_clear/:id",
    right: "4:update|4:access_all",
    reach: "branch",
    summary: "Forgets the settings that a device has told; what it does now is kept",
    params: z.object({ id: IdText }),
    reply: Nothing,
    problems: ["not_found", "demo_refused"],
  }),
  setPolicy: call({
    id: "control.setPolicy",
    isOwn: true,
    method: "PUT",
    path: "device/control/policy",
    right: "admin",
    reach: "company",
    summary: "Makes commands that change devices ask for a second factor",
    body: z.object({ asks_second_factor: z.boolean() }),
    reply: z.object({ asks_second_factor: z.boolean() }),
    problems: ["demo_refused", "entered_refused", "token_refused"],
  }),
  freezes: call({
    id: "control.freezes",
    isOwn: true,
    method: "GET",
    path: "admin/control/freezes",
    right: "platform",
    reach: "company",
    summary: "Where outgoing actuation is stopped: the installation first, then companies by name",
    reply: z.object({ freezes: z.array(Freeze) }),
  }),
  freeze: call({
    id: "control.freeze",
    isOwn: true,
    method: "POST",
    path: "admin/control/freeze",
    right: "platform",
    reach: "company",
    summary: "Stops all outgoing actuation of the installation or of a company, or releases it",
    body: z.object({
      company_id: z.optional(Id).check(z.describe("absent: the whole installation")),
      is_frozen: z.boolean(),
      reason: z.optional(ShortText).check(z.describe("required to stop it; those who are stopped see it")),
    }),
    reply: z.object({ freezes: z.array(Freeze) }),
    problems: ["not_found", "wrong_input", "demo_refused"],
  }),
};

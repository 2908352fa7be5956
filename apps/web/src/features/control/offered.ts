import type { DeviceModel } from "@metrum/contract/metering";
import {
  commands,
  narrowedFields,
  type Command,
  type CommandField,
  type Narrowings,
} from "@metrum/vocabulary";

/** A command that the model of a device has, with the limits of its arguments. */
export interface OfferedCommand {
  readonly command: Command;
  readonly fields: readonly CommandField[];
}

/** Blocks of the dialog, each with the entries of `options.control` that it shows. */
const blocks = [
  { id: "power", group: "state", entries: ["power", "relay_state", "unblock"] },
  { id: "valve", group: "state", entries: ["valve"] },
  { id: "outputs", group: "state", entries: ["setout"] },
  { id: "seal", group: "state", entries: ["set_plomb"] },
  { id: "gasAlarm", group: "state", entries: ["mg08"] },
  { id: "parameters", group: "state", entries: ["gateway_settings"] },
  { id: "limit", group: "limit", entries: ["limit", "limit_state"] },
  { id: "clock", group: "clock", entries: ["get_datetime", "time_set", "time_correct", "time_correct2"] },
  { id: "tariffs", group: "tariffs", entries: ["get_shedule_tariff", "set_shedule_tariff"] },
  { id: "specialDays", group: "specialDays", entries: ["get_special_day", "set_special_day"] },
  {
    id: "settings",
    group: "settings",
    entries: ["get_settings", "set_settings", "vega_settings", "setFrequency", "measurement_mode"],
  },
  { id: "setpoints", group: "settings", entries: ["get_setpoints", "set_setpoint"] },
  { id: "reports", group: "settings", entries: ["report_period", "complex_set"] },
  { id: "service", group: "service", entries: ["read_info", "reset", "mts_activate"] },
  { id: "scheduler", group: "scheduler", entries: ["lartech_settings"] },
  { id: "raw", group: "raw", entries: ["send_raw_payload", "bytes"] },
] as const;

export type BlockId = (typeof blocks)[number]["id"];
export type GroupId = (typeof blocks)[number]["group"];
export interface Block {
  readonly id: BlockId;
  readonly group: GroupId;
  readonly commands: readonly OfferedCommand[];
}

type Controls = DeviceModel["options"]["control"];
type Control = Controls[string];

/** The blocks of a model with the commands that are active in it; others are not shown. */
export function blocksOf(controls: Controls): readonly Block[] {
  return blocks.flatMap(({ id, group, entries }) => {
    const offered = entries.flatMap((entry) => commandsOf(entry, controls[entry]));
    return offered.length === 0 ? [] : [{ id, group, commands: offered }];
  });
}

function commandsOf(entry: string, control: Control | undefined): readonly OfferedCommand[] {
  if (control?.active !== true) return [];
  return commands
    .filter((command: Command) => (command.control ?? command.key) === entry)
    .filter(({ key }) => control.properties === undefined || Object.hasOwn(control.properties, key))
    .map((command) => ({ command, fields: fieldsOf(command, control) }));
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null;

/**
 * Arguments with the limits of the model: `settings` by argument, or `properties` by command of a block. A
 * choice of which the model leaves nothing is not offered; a model with additional limits needs their mode.
 */
function fieldsOf(command: Command, { settings = {}, properties = {} }: Control): readonly CommandField[] {
  if ("value" in command.arguments) return [];
  const own = properties[command.key];
  const limits: Record<string, ReturnType<typeof narrowingOf>> = {};
  for (const { key } of command.arguments) {
    const shown = settings[key] ?? own;
    if (isObject(shown)) limits[key] = narrowingOf(shown);
  }
  return narrowedFields(command.arguments, limits)
    .filter(isOffered)
    .map((field) => (field.key === "limit_mode" ? { ...field, isRequired: true } : field));
}

/** A choice without choices, or an optional number that can only be 0, is none. */
const isOffered = (field: CommandField): boolean =>
  field.kind === "choice"
    ? field.choices.length > 0
    : field.isRequired || field.kind !== "number" || field.maximum > field.minimum;

function narrowingOf({ minimum, maximum, choices }: Readonly<Record<string, unknown>>): Narrowings[string] {
  return {
    ...(typeof minimum === "number" ? { min: minimum } : {}),
    ...(typeof maximum === "number" ? { max: maximum } : {}),
    ...(Array.isArray(choices) ? { choices: choices.filter(isChoice) } : {}),
  };
}

const isChoice = (value: unknown): value is string | number =>
  typeof value === "string" || typeof value === "number";

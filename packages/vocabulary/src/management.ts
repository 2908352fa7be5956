import type { Command } from "./commands/commandArguments.ts";
import type { CommandField } from "./commands/commandFields.ts";
import { commandOf } from "./commands.ts";

/** The `management` object of a control request. */
export type Management = Readonly<Record<string, unknown>>;

/** A command of a request with its arguments, or its constant value; not validated. */
export interface RequestedCommand {
  readonly command: Command;
  readonly given: unknown;
}

export interface ReadManagement {
  readonly commands: readonly RequestedCommand[];
  /** Keys that belong to no command of the request. */
  readonly unknown: readonly string[];
}

const fieldsOf = (command: Command): readonly CommandField[] =>
  "value" in command.arguments ? [] : command.arguments;
const isSet = (value: unknown): boolean => value === 1 || value === true;
const isObject = (value: unknown): value is Management =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Two keys of which a time argument may be composed. */
const dateKeys = ["date", "time"] as const;

/** Splits a `management` object into its commands; arguments beside a key belong to its command. */
export function readManagement(management: Management): ReadManagement {
  const named = Object.keys(management).flatMap((key) => commandOf(key) ?? []);
  const companions = new Set(
    named.flatMap((command) =>
      command.isBeside ? fieldsOf(command).flatMap(({ key }) => (key === command.key ? [] : [key])) : [],
    ),
  );
  const asked = named.filter(({ key }) => !companions.has(key));
  const isTimed = asked.some((command) => timeField(command) !== undefined);
  const known = new Set([...companions, ...asked.map(({ key }) => key), ...(isTimed ? dateKeys : [])]);
  return {
    commands: asked.map((command) => ({ command, given: givenTo(command, management) })),
    unknown: Object.keys(management).filter((key) => !known.has(key)),
  };
}

const timeField = (command: Command): CommandField | undefined =>
  fieldsOf(command).find(({ kind }) => kind === "datetime");

function givenTo(command: Command, management: Management): unknown {
  const own = management[command.key];
  const fields = fieldsOf(command);
  if (fields.length === 0 || !command.isBeside || isObject(own)) return own;
  const hasOwnField = fields.some(({ key }) => key === command.key);
  if (!hasOwnField && !own) return own;
  const given = Object.fromEntries(
    fields.flatMap(({ key }) => (management[key] === undefined ? [] : [[key, management[key]]])),
  );
  const timed = timeField(command);
  return timed && (given[timed.key] === undefined || isSet(given[timed.key]))
    ? { ...given, ...composedTime(timed.key, management) }
    : given;
}

function composedTime(key: string, { date, time }: Management): Record<string, unknown> {
  if (typeof date !== "string") return {};
  return { [key]: `${date} ${typeof time === "string" && time !== "" ? time : "00:00"}` };
}

/** The `management` object of one command; the inverse of `readManagement`. */
export function managementOf({ command, given }: RequestedCommand): Management {
  return command.isBeside && isObject(given) ? { [command.key]: 1, ...given } : { [command.key]: given };
}

/** Whether a request counts as changing the device: one of its keys changes it or is unknown. */
export const changesAnything = ({ commands, unknown }: ReadManagement): boolean =>
  commands.length === 0 || unknown.length > 0 || commands.some(({ command }) => command.changesDevice);

/** A limit of power, kW, that a kettle or a pump exceeds: the meter switches its consumer off at once. */
const switchingOffKw = 1;

/** Whether a request interrupts the supply. */
export function switchesOff({ command, given }: RequestedCommand): boolean {
  const limit = command.key === "limit" && isObject(given) ? given["limit"] : undefined;
  if (typeof limit === "number" && limit <= switchingOffKw) return true;
  return isObject(given) && fieldsOf(command).some((field) => isOffBy(field, given[field.key]));
}

function isOffBy(field: CommandField, given: unknown): boolean {
  if (field.kind === "switch") return given !== undefined && given === field.switchesOffWhen;
  return (
    field.kind === "choice" &&
    field.choices.some(({ value, switchesOff: isOff }) => isOff === true && given === value)
  );
}

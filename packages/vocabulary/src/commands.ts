import type { Command } from "./commands/commandArguments.ts";
import { clockCommands } from "./commands/clock.ts";
import { gasAlarmCommands } from "./commands/gasAlarm.ts";
import { gatewayCommands } from "./commands/gateway.ts";
import { rawCommands } from "./commands/raw.ts";
import { readingCommands } from "./commands/readings.ts";
import { scheduleCommands } from "./commands/schedules.ts";
import { settingsCommands } from "./commands/settings.ts";
import { switchingCommands } from "./commands/switching.ts";

/** All commands; a model offers those that its driver has functions for. */
export const commands = [
  ...readingCommands,
  ...switchingCommands,
  ...clockCommands,
  ...scheduleCommands,
  ...settingsCommands,
  ...gasAlarmCommands,
  ...gatewayCommands,
  ...rawCommands,
] as const satisfies readonly Command[];

type Listed = (typeof commands)[number];
export type CommandKey = Listed["key"];

/** The command of a key, with its literal types. */
export type CommandByKey<Key extends CommandKey> = Extract<Listed, { readonly key: Key }>;
/** Keys of the commands that read current values from a device. */
export type ReadingCommandKey = Extract<Listed, { readonly answers: "readings" }>["key"];
/** Keys of the commands that request past readings: the archives of a driver answer them. */
export type ArchiveCommandKey = Extract<Listed, { readonly answers: "archive" }>["key"];
/** Keys of the commands that read the state of a device: its relay, clock, schedule, settings. */
export type StateCommandKey = Extract<Listed, { readonly answers: "state" }>["key"];
/** Keys of the commands that change a device. */
export type ChangingCommandKey = Extract<Listed, { readonly changesDevice: true }>["key"];

/** The `management` object of a request that names no command: current values. */
export const pollManagement: Readonly<Record<string, unknown>> = { now_value: 1 };

const byKey: ReadonlyMap<string, Command> = new Map(commands.map((each) => [each.key, each]));

export const commandOf = (key: string): Command | undefined => byKey.get(key);

/** Whether a `management` key changes the device; unknown keys count as changing. */
export const changesDevice = (key: string): boolean => commandOf(key)?.changesDevice !== false;

/** Whether a `management` key reads current values. */
export const isReadingCommand = (key: string): key is ReadingCommandKey => answersOf(key) === "readings";

/** Whether a `management` key reads the state of a device. */
export const isStateCommand = (key: string): key is StateCommandKey => answersOf(key) === "state";

/** Whether a `management` key is a command that changes a device. */
export const isChangingCommand = (key: string): key is ChangingCommandKey =>
  commandOf(key)?.changesDevice === true;

function answersOf(key: string): string | undefined {
  const command = commandOf(key);
  return command?.changesDevice === false ? command.answers : undefined;
}

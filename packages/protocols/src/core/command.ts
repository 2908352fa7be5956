import type { ArgumentsOf, Command, CommandByKey, CommandField, CommandKey } from "@metrum/vocabulary";
import type { Conversation } from "./conversation.ts";
import type { DeviceAddress } from "./driver.ts";
import type { ProtocolError } from "./errors.ts";
import type { Reading } from "./reading.ts";

/**
 * Result of a command that changes the device, once it was sent. "refused": the device has not done it, for
 * its own reasons. "unknown": the answer is missing or unreadable, so the device may have done it.
 */
export type CommandResult =
  { readonly state: "done" } | { readonly state: "refused" | "unknown"; readonly reason: ProtocolError };

/**
 * What a driver does for a command: its dialogue with the device. A command with fields gets their values, as
 * `argumentsSchema` has accepted them; one with a constant value gets nothing.
 * Errors inside: ProtocolError; of a command that changes the device only as long as it was not sent.
 */
export type CommandFunction<Of extends Command> = (
  device: DeviceAddress,
  ...given: Of["arguments"] extends readonly CommandField[] ? [ArgumentsOf<Of["arguments"][number]>] : []
) => Conversation<Of["changesDevice"] extends true ? CommandResult : Reading[]>;

/**
 * The functions of a driver by command; a model offers no command without one. Commands of one request that
 * share a function are executed once.
 */
export type CommandFunctions = { readonly [Key in CommandKey]?: CommandFunction<CommandByKey<Key>> };

/** Reads the values of a device, without arguments. */
export type ReadFunction = (device: DeviceAddress) => Conversation<Reading[]>;

/** Functions of a driver that reads all current values at once, whichever of them are requested. */
export const readTogether = (read: ReadFunction) =>
  ({ now_value: read, tariff: read, read_info: read }) satisfies CommandFunctions;

import type {
  ArchiveCommandKey,
  ArgumentsOf,
  ChangingCommandKey,
  Command,
  CommandByKey,
  CommandField,
  CommandKey,
  DeviceState,
  StateCommandKey,
} from "@metrum/vocabulary";
import type { Conversation } from "./conversation.ts";
import type { DeviceAddress, PulseScale } from "./driver.ts";
import type { ProtocolError } from "./errors.ts";
import type { Reading } from "./reading.ts";

/**
 * Result of a command that changes the device, once it was sent. "done": the device has confirmed it; `read`
 * is what it told of its state. "refused": the device has not done it, for its own reasons. "unknown": the
 * answer is missing or unreadable, so the device may have done it. `partly`: of several writes the device has carried
 * out the first; what it has told of its state since, empty if it could not be read.
 */
export type CommandResult = { readonly state: "done"; readonly read?: DeviceState } | NotDone;

interface NotDone {
  readonly state: "refused" | "unknown";
  readonly reason: ProtocolError;
  readonly partly?: DeviceState;
}

/** Arguments of a command with fields, as `argumentsSchema` has accepted them; nothing for a constant value. */
export type GivenTo<Of extends Command> = Of["arguments"] extends readonly CommandField[]
  ? [given: ArgumentsOf<Of["arguments"][number]>]
  : [];

type AnswerOf<Of extends Command> = Of extends { readonly changesDevice: true }
  ? CommandResult
  : Of extends { readonly answers: "state" }
    ? DeviceState
    : Reading[];

/**
 * What a driver does for a command: its dialogue with the device.
 * Errors inside: ProtocolError; of a command that changes the device only as long as it was not sent.
 */
export type CommandFunction<Of extends Command> = (
  device: DeviceAddress,
  ...given: GivenTo<Of>
) => Conversation<AnswerOf<Of>>;

/**
 * The functions of a driver by command; a model offers no command without one. Archives are requested by
 * `poll`. Reading commands of one request that share a function are executed once.
 */
export type CommandFunctions = {
  readonly [Key in Exclude<CommandKey, ArchiveCommandKey>]?: CommandFunction<CommandByKey<Key>>;
};

/** A command as one downlink. */
export interface DownlinkCommand {
  readonly fport: number;
  readonly payload: Uint8Array;
  /** A harmless downlink sent after it, without which the device would not show what it did. */
  readonly then?: { readonly fport: number; readonly payload: Uint8Array };
  /** The device listens at any time (class C). Absent: only after each of its uplinks (class A). */
  readonly listensAlways?: true;
  /**
   * What an uplink received after the command says of it; undefined: nothing. Unreadable uplinks say
   * nothing: no errors. Absent: no uplink can prove the command.
   */
  readonly proof?: (payload: Uint8Array, fport: number) => CommandResult | undefined;
}

/**
 * What a driver sends for a command to a device that is reached by downlinks. Pure, because it is computed
 * again for every uplink that may prove it. Errors: ProtocolError "unsupported" for arguments that the device
 * does not take.
 */
export type DownlinkFunction<Of extends Command> = (
  device: DeviceAddress & PulseScale,
  ...given: GivenTo<Of>
) => DownlinkCommand;

/** The functions of a driver of such devices, by command. */
export type DownlinkFunctions = {
  readonly [Key in StateCommandKey | ChangingCommandKey]?: DownlinkFunction<CommandByKey<Key>>;
};

/** Reads the values of a device, without arguments. */
export type ReadFunction = (device: DeviceAddress) => Conversation<Reading[]>;

/** Functions of a driver that reads all current values at once, whichever of them are requested. */
export const readTogether = (read: ReadFunction) =>
  ({ now_value: read, tariff: read, read_info: read }) satisfies CommandFunctions;

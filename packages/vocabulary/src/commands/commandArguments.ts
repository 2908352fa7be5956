import { z } from "zod/mini";
import { fieldsSchema, narrowedFields, type CommandField, type Narrowings } from "./commandFields.ts";
import type { Text } from "../text.ts";

interface CommandBase {
  readonly key: string;
  readonly title: Text;
  /** Its entry in `options.control` of a model; absent: its key. */
  readonly control?: string;
  /** Arguments; or, for a command without any, its constant value: "any" is 1 or true. */
  readonly arguments: readonly CommandField[] | { readonly value: 1 | true | "any" };
  /**
   * The arguments stand beside the key in the `management` object, and the one named like the command is its
   * value; without such an argument the value is 1. Absent: an object of the arguments is the value.
   */
  readonly isBeside?: true;
  /** Exactly one of the optional arguments is given. */
  readonly isOneOnly?: true;
}

/**
 * A command that reads. Its answer: readings for the store, past readings (requested as an archive, without a
 * function of the driver), or the state of the device.
 */
export interface ReadingCommand extends CommandBase {
  readonly changesDevice: false;
  readonly actuates: false;
  readonly answers: "readings" | "archive" | "state";
}

/** A command that changes the device. */
export interface ChangingCommand extends CommandBase {
  readonly changesDevice: true;
  /** An actuator is operated: a valve, a relay, an output. */
  readonly actuates: boolean;
  /** Confirmation text before sending; absent: sent at once. */
  readonly confirmation?: Text;
  /** Command that reads back what this one has set, if the device can tell. */
  readonly readBack?: string;
  /** Harmless when executed twice and read back: attempted again after a lost answer. */
  readonly isRepeatable: boolean;
}

/**
 * A key of the `management` object of a control request (section 3 of the control document).
 * `changesDevice` chooses the right: true needs update on module 4, false needs read.
 */
export type Command = ReadingCommand | ChangingCommand;

/** Schema of the arguments of a command, or of its constant value, as narrowed by a model. */
export function argumentsSchema(command: Command, by: Narrowings = {}): z.ZodMiniType {
  if ("value" in command.arguments) {
    const { value } = command.arguments;
    return z.literal(value === "any" ? [1, true] : [value]);
  }
  return fieldsSchema(narrowedFields(command.arguments, by), command.isOneOnly === true);
}

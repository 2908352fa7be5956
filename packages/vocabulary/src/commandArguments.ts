import { z } from "zod/mini";
import type { MessageTypeId } from "./messageTypes.ts";
import type { Text } from "./text.ts";
import type { UnitKey } from "./units.ts";

interface FieldBase {
  readonly key: string;
  readonly title: Text;
  readonly isRequired: boolean;
  /** Permitted only if another argument, listed before it, has one of these values. */
  readonly dependsOn?: { readonly key: string; readonly values: readonly (string | number | boolean)[] };
}

/** An argument of a command: input of the dialog, and constraints of its value. */
export type CommandField = FieldBase &
  (
    | {
        readonly kind: "number";
        readonly unit: UnitKey;
        readonly minimum: number;
        readonly maximum: number;
        /** Values are the minimum and whole steps above it. */
        readonly step: number;
      }
    | {
        readonly kind: "choice";
        readonly choices: readonly { readonly value: string | number; readonly title: Text }[];
      }
    | { readonly kind: "switch" }
  );

/**
 * A key of the `management` object of a control request (section 3 of the control document).
 * `changesDevice` chooses the right: true needs update on module 4, false needs read.
 */
export interface Command {
  readonly key: string;
  readonly title: Text;
  readonly changesDevice: boolean;
  /** An actuator is operated: a valve, a relay. */
  readonly actuates: boolean;
  /** Confirmation text before sending; absent: sent at once. */
  readonly confirmation?: Text;
  /** Message types that are read from the device afterwards. */
  readonly readsBack: readonly MessageTypeId[];
  /** Arguments, an object on the wire; or, for a command without any, its constant value. */
  readonly arguments: readonly CommandField[] | { readonly value: 1 | true };
}

type ValueOf<Field extends CommandField> = Field extends { readonly kind: "number" }
  ? number
  : Field extends { readonly kind: "choice"; readonly choices: readonly { readonly value: infer Value }[] }
    ? Value
    : boolean;
type AlwaysGiven<Field extends CommandField> = Field extends { readonly dependsOn: object }
  ? never
  : Field extends { readonly isRequired: true }
    ? Field
    : never;

/** Arguments of a command by the keys of its fields, as `argumentsSchema` accepts them. */
export type ArgumentsOf<Field extends CommandField> = {
  readonly [Each in AlwaysGiven<Field> as Each["key"]]: ValueOf<Each>;
} & {
  readonly [Each in Exclude<Field, AlwaysGiven<Field>> as Each["key"]]?: ValueOf<Each> | undefined;
};

/** Limits of a model for an argument: a subset of the command's range. */
export interface Narrowing {
  readonly min?: number;
  readonly max?: number;
  readonly choices?: readonly (string | number)[];
}
/** By key of the argument; absent arguments keep the range of the command. */
export type Narrowings = Readonly<Record<string, Narrowing>>;

/** The arguments of a command narrowed by a model; a narrowing never widens. */
export function narrowedFields(
  fields: readonly CommandField[],
  by: Narrowings = {},
): readonly CommandField[] {
  return fields.map((field) => {
    const narrowing = by[field.key];
    if (!narrowing || field.kind === "switch") return field;
    if (field.kind === "choice")
      return {
        ...field,
        choices: field.choices.filter(({ value }) => narrowing.choices?.includes(value) ?? true),
      };
    return {
      ...field,
      minimum: firstStep(field, narrowing.min ?? field.minimum),
      maximum: Math.min(field.maximum, narrowing.max ?? field.maximum),
    };
  });
}

type NumberField = Extract<CommandField, { kind: "number" }>;

/** The lowest value at or above `least` on a step of the command. */
function firstStep({ minimum, step }: NumberField, least: number): number {
  return least <= minimum ? minimum : minimum + Math.ceil(stepsBetween(minimum, least, step)) * step;
}

/** Whether a value is on a step; rounding errors are ignored. */
function stepsBetween(from: number, to: number, step: number): number {
  const steps = (to - from) / step;
  return Math.abs(steps - Math.round(steps)) < 1e-9 ? Math.round(steps) : steps;
}

/** Schema of the value of a command's key, as narrowed by a model. */
export function argumentsSchema(command: Command, by: Narrowings = {}): z.ZodMiniType {
  if ("value" in command.arguments) return z.literal(command.arguments.value);
  const fields = narrowedFields(command.arguments, by);
  const shape = Object.fromEntries(
    fields.map((field) => {
      const own = fieldSchema(field);
      return [field.key, field.isRequired && !field.dependsOn ? own : z.optional(own)];
    }),
  );
  return z.strictObject(shape).check(z.refine((given) => fields.every((field) => isInPlace(field, given))));
}

function fieldSchema(field: CommandField): z.ZodMiniType {
  switch (field.kind) {
    case "switch":
      return z.boolean();
    case "choice":
      return z.unknown().check(z.refine((given) => field.choices.some(({ value }) => value === given)));
    case "number":
      return z.number().check(
        z.gte(field.minimum),
        z.lte(field.maximum),
        z.refine((given) => Number.isInteger(stepsBetween(field.minimum, given, field.step))),
      );
  }
}

/** A dependent argument is present exactly when its condition holds. */
function isInPlace(
  { key, isRequired, dependsOn }: CommandField,
  given: Readonly<Record<string, unknown>>,
): boolean {
  if (!dependsOn) return true;
  const isWanted = dependsOn.values.some((value) => value === given[dependsOn.key]);
  const isGiven = given[key] !== undefined;
  return isWanted ? isGiven || !isRequired : !isGiven;
}

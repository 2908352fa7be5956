import { z } from "zod/mini";
import type { Text } from "../text.ts";
import type { UnitKey } from "../units.ts";

interface FieldBase {
  readonly key: string;
  readonly title: Text;
  readonly isRequired: boolean;
  /** Permitted only if another argument, listed before it, has one of these values. */
  readonly dependsOn?: { readonly key: string; readonly values: readonly (string | number | boolean)[] };
}

/** A value that can be chosen for an argument. */
export interface Choice {
  readonly value: string | number;
  readonly title: Text;
  /** What follows for the consumer; shown in the confirmation. */
  readonly consequence?: Text;
  /** Interrupts the supply; limited for many devices at once. */
  readonly switchesOff?: true;
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
    | { readonly kind: "choice"; readonly choices: readonly Choice[] }
    /** `switchesOffWhen`: this value interrupts the supply of the consumer. */
    | { readonly kind: "switch"; readonly switchesOffWhen?: boolean }
    /** A number, the sum of 2 to the power of the index of each set flag. */
    | { readonly kind: "flags"; readonly flags: readonly Text[] }
    /** HH:mm, 00:00 to 23:59. */
    | { readonly kind: "time" }
    /** YYYY-MM-DD. */
    | { readonly kind: "date" }
    /** YYYY-MM-DD HH:mm[:ss] on the clock of the device. */
    | { readonly kind: "datetime" }
    /** Hexadecimal digits, two a byte; the limits count digits. */
    | { readonly kind: "bytes"; readonly minimum: number; readonly maximum: number }
    /** Times of a day (HH:mm) or days of a year (MM-DD); the limits count entries. */
    | {
        readonly kind: "list";
        readonly of: "time" | "day";
        readonly minimum: number;
        readonly maximum: number;
      }
    | { readonly kind: "group"; readonly fields: readonly CommandField[] }
  );

type ValueOf<Field extends CommandField> = Field extends { readonly kind: "number" | "flags" }
  ? number
  : Field extends { readonly kind: "choice"; readonly choices: readonly { readonly value: infer Value }[] }
    ? Value
    : Field extends { readonly kind: "switch" }
      ? boolean
      : Field extends { readonly kind: "list" }
        ? readonly string[]
        : Field extends { readonly kind: "group"; readonly fields: readonly CommandField[] }
          ? ArgumentsOf<Field["fields"][number]>
          : string;
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
    if (!narrowing) return field;
    switch (field.kind) {
      case "choice":
        return {
          ...field,
          choices: field.choices.filter(({ value }) => narrowing.choices?.includes(value) ?? true),
        };
      case "number":
        return {
          ...field,
          minimum: firstStep(field, narrowing.min ?? field.minimum),
          maximum: Math.min(field.maximum, narrowing.max ?? field.maximum),
        };
      case "bytes":
      case "list":
        return {
          ...field,
          minimum: Math.max(field.minimum, narrowing.min ?? field.minimum),
          maximum: Math.min(field.maximum, narrowing.max ?? field.maximum),
        };
      default:
        return field;
    }
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

/** Schema of an object of arguments; with `isOneOnly` exactly one of the optional ones is given. */
export function fieldsSchema(fields: readonly CommandField[], isOneOnly = false): z.ZodMiniType {
  const shape = Object.fromEntries(
    fields.map((field) => {
      const own = fieldSchema(field);
      return [field.key, field.isRequired && !field.dependsOn ? own : z.optional(own)];
    }),
  );
  const optional = fields.filter(({ isRequired }) => !isRequired);
  return z
    .strictObject(shape)
    .check(z.refine((given) => fields.every((field) => isInPlace(field, given))))
    .check(
      z.refine((given) => !isOneOnly || optional.filter(({ key }) => given[key] !== undefined).length === 1),
    );
}

const timePattern = /^([01]\d|2[0-3]):[0-5]\d$/;
const dayPattern = /^(\d{2})-(\d{2})$/;
const datePattern = /^(\d{4})-(\d{2}-\d{2})$/;
/** A leap year, so that 29 February is a day. */
const leapYear = 2000;

function isDayOf(year: number, day: string): boolean {
  const [, month, date] = dayPattern.exec(day) ?? [];
  if (month === undefined || date === undefined) return false;
  const at = new Date(Date.UTC(year, Number(month) - 1, Number(date)));
  return at.getUTCMonth() === Number(month) - 1 && at.getUTCDate() === Number(date) && Number(date) > 0;
}

function isDate(text: string): boolean {
  const [, year, day] = datePattern.exec(text) ?? [];
  return day !== undefined && Number(year) >= 1970 && isDayOf(Number(year), day);
}

function isDateTime(text: string): boolean {
  const [date = "", time = "", ...rest] = text.split(" ");
  const [, clock, second] = /^(.{5})(?::([0-5]\d))?$/.exec(time) ?? [];
  return isDate(date) && rest.length === 0 && clock !== undefined && timePattern.test(clock) && second !== "";
}

const isEntry = {
  time: (text: string) => timePattern.test(text),
  day: (text: string) => isDayOf(leapYear, text),
};

const textThat = (isRight: (text: string) => boolean): z.ZodMiniType => z.string().check(z.refine(isRight));

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
    case "flags":
      return z.int().check(z.gte(0), z.lt(2 ** field.flags.length));
    case "time":
      return textThat(isEntry.time);
    case "date":
      return textThat(isDate);
    case "datetime":
      return textThat(isDateTime);
    case "bytes":
      return z.string().check(
        z.minLength(field.minimum),
        z.maxLength(field.maximum),
        z.refine((given) => /^([0-9a-f]{2})*$/i.test(given)),
      );
    case "list":
      return z.array(textThat(isEntry[field.of])).check(
        z.minLength(field.minimum),
        z.maxLength(field.maximum),
        z.refine((given) => new Set(given).size === given.length),
      );
    case "group":
      return fieldsSchema(field.fields);
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

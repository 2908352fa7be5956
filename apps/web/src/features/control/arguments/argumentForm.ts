import type { CommandField } from "@metrum/vocabulary";

/** Input of an argument: null while it is missing. */
export type Entered = string | number | boolean | null;
export type EnteredValues = Readonly<Record<string, Entered>>;

/** The fields that apply to what was entered before them. */
export function shownFields(fields: readonly CommandField[], values: EnteredValues): readonly CommandField[] {
  return fields.filter(
    ({ dependsOn }) => !dependsOn || dependsOn.values.some((value) => value === values[dependsOn.key]),
  );
}

/** Values of the form: those that the device has told, else none; flags and switches start unset. */
export function enteredOf(
  fields: readonly CommandField[],
  known: Readonly<Record<string, unknown>>,
): EnteredValues {
  return Object.fromEntries(
    fields.map((field) => {
      const value = known[field.key];
      const isKnown = typeof value === "string" || typeof value === "number" || typeof value === "boolean";
      return [field.key, isKnown ? value : emptyOf(field)];
    }),
  );
}

function emptyOf(field: CommandField): Entered {
  if (field.kind === "switch") return false;
  if (field.kind === "number" && field.minimum === field.maximum) return field.minimum;
  return field.kind === "flags" ? 0 : null;
}

/** A measurement mode brings its pause: 30 for the instantaneous, 0 for that of an interval. */
export const pauseOfMode = (mode: Entered): number => (mode === 1 ? 30 : 0);

/** Faults of what was entered, as codes by field. */
export function argumentFaults(
  fields: readonly CommandField[],
  values: EnteredValues,
): Readonly<Record<string, string>> {
  return Object.fromEntries(
    shownFields(fields, values).flatMap((field) => {
      const fault = faultOf(field, values[field.key] ?? null);
      return fault === undefined ? [] : [[field.key, fault]];
    }),
  );
}

function faultOf(field: CommandField, value: Entered): string | undefined {
  if (value === null || value === "") return field.isRequired ? "msg_81" : undefined;
  return field.kind === "bytes" ? bytesFault(String(value)) : undefined;
}

/** Message for hexadecimal digits that are no bytes. */
function bytesFault(digits: string): string | undefined {
  if (!/^[0-9a-f]*$/i.test(digits)) return "msg_146";
  return digits.length % 2 === 1 ? "msg_145" : undefined;
}

/** The arguments as they are sent: shown ones that have a value. */
export function argumentsOf(
  fields: readonly CommandField[],
  values: EnteredValues,
): Readonly<Record<string, string | number | boolean>> {
  const given: Record<string, string | number | boolean> = {};
  for (const { key } of shownFields(fields, values)) {
    const value = values[key] ?? null;
    if (value !== null && value !== "") given[key] = value;
  }
  return given;
}

/** The date-time of a command: an empty time is 00, and seconds are 00. */
export const dateTimeOf = (date: string, time: string): string => `${date} ${time === "" ? "00" : time}:00`;

/** Decimals of the values of an argument: those of its step, or more if its first value has more. */
export const decimalsOf = ({ minimum, step }: Pick<Stepped, "minimum" | "step">): number =>
  Math.max(...[minimum, step].map((each) => (String(each).split(".")[1] ?? "").length));

interface Stepped {
  readonly minimum: number;
  readonly maximum: number;
  readonly step: number;
}

/** The nearest value that the argument takes: its minimum and whole steps above it, within its limits. */
export function steppedOf(field: Stepped, entered: number): number {
  const { minimum, maximum, step } = field;
  const most = Math.floor((maximum - minimum) / step + 1e-9);
  const steps = Math.min(most, Math.max(0, Math.round((entered - minimum) / step)));
  return Number((minimum + steps * step).toFixed(decimalsOf(field)));
}

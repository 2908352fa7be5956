import { ProtocolError } from "./errors.ts";
import type { Reading } from "./reading.ts";

/**
 * Returns a finite number unchanged. Scaling can turn large numbers into infinite ones, which cannot be
 * values of a meter. Errors: ProtocolError "unexpected" that names the infinite value or NaN.
 */
export function finite(value: number, name: string): number {
  if (Number.isFinite(value)) return value;
  throw new ProtocolError("unexpected", `${name} is ${Number.isNaN(value) ? "not a number" : "too large"}`);
}

/**
 * Returns readings unchanged if every value and time in them is a finite number. Errors: ProtocolError
 * "unexpected" that names the field.
 */
export function finiteReadings<List extends readonly Reading[]>(readings: List): List {
  for (const { at, meterAt, values } of readings)
    for (const [name, value] of Object.entries({ time: at, meterAt, ...values }))
      if (typeof value === "number") finite(value, name);
  return readings;
}

import { ProtocolError } from "./errors.ts";
import type { Reading } from "./reading.ts";

/**
 * A number as it is. Units, weights and powers of ten turn large numbers into infinite ones, and those are no values of a meter.
 * Errors: ProtocolError "unexpected" that names what is infinite or no number.
 */
export function finite(value: number, name: string): number {
  if (Number.isFinite(value)) return value;
  throw new ProtocolError("unexpected", `${name} is ${Number.isNaN(value) ? "not a number" : "too large"}`);
}

/** Readings as they are, when each value and moment in them is a number. Errors: ProtocolError "unexpected" that names the field. */
export function finiteReadings<List extends readonly Reading[]>(readings: List): List {
  for (const { at, meterAt, values } of readings)
    for (const [name, value] of Object.entries({ time: at, meterAt, ...values }))
      if (typeof value === "number") finite(value, name);
  return readings;
}

import type { Incoming, Outcome } from "#messages";
import type { ExchangeRow } from "./log.ts";

/** What the log says of readings whose time cannot be right; the web app has words for both. */
const ahead = "the time is more than a day ahead, set aside";
const early = "the time is before 2000, set aside";

/**
 * The row with what the store has made of its readings: those that it has set aside, because their time cannot be right, are no readings
 * of the device. When none is left, that is the outcome.
 */
export function withAside(
  row: ExchangeRow,
  readings: readonly Incoming[],
  outcomes: readonly Outcome[],
): ExchangeRow {
  const aside = readings.filter((_, at) => outcomes[at] === "aside");
  const [first] = aside;
  if (!first) return row;
  const why = first.ts > first.receivedAt ? ahead : early;
  const message = [row.message, why].filter((part) => part !== "").join("; ");
  const left = readings.length - aside.length;
  if (left > 0 || row.kind !== "uplink") return { ...row, message, readings: left };
  const steps = row.steps.map((step, at) =>
    at === 0 ? { ...step, error: { kind: "unexpected", message: why } as const } : step,
  );
  return { ...row, result: "unexpected", message, readings: 0, steps };
}

import type { Incoming, Outcome } from "#metering/messages";
import type { ExchangeRow } from "./logStore.ts";

/** Notes of the log about readings with an implausible time; the web app has texts for each. */
const farAhead = "the time is more than a day ahead, set aside";
const ahead = "the time is more than ten minutes ahead, set aside";
const early = "the time is before 2000, set aside";
const old = "the time is before the archive of the device begins, set aside";

const year2000 = Date.UTC(2000, 0, 1) / 1000;
const daySec = 86_400;

function reasonOf({ ts, receivedAt }: Incoming): string {
  if (ts > receivedAt + daySec) return farAhead;
  if (ts > receivedAt) return ahead;
  return ts >= year2000 ? old : early;
}

/**
 * The row after storing its readings: quarantined ones, with an implausible time, do not count as readings of
 * the device. When none is left, that is the outcome.
 */
export function withQuarantined(
  row: ExchangeRow,
  readings: readonly Incoming[],
  outcomes: readonly Outcome[],
): ExchangeRow {
  const quarantined = readings.filter((_, at) => outcomes[at] === "quarantined");
  const [first] = quarantined;
  if (!first) return row;
  const why = reasonOf(first);
  const message = [row.message, why].filter((part) => part !== "").join("; ");
  const left = readings.length - quarantined.length;
  if (left > 0 || row.kind !== "uplink") return { ...row, message, readings: left };
  const steps = row.steps.map((step, at) =>
    at === 0 ? { ...step, error: { kind: "unexpected", message: why } as const } : step,
  );
  return { ...row, result: "unexpected", message, readings: 0, steps };
}

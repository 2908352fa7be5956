import type { Incoming, Outcome } from "#metering/messages";
import type { ExchangeRow } from "./logStore.ts";

/** What the log says of readings whose time cannot be right; the web app has words for each. */
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
 * The row with what the store has made of its readings: those in quarantine, because their time cannot be right, are no readings
 * of the device. When none is left, that is the outcome.
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

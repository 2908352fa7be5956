import type { Span } from "../ingest/index.ts";
import type { Row } from "../rows/index.ts";
import type { Mark } from "./dueStore.ts";
import { dependantKinds, dueKinds, type DependantKind } from "./kinds.ts";

/**
 * New readings wait this long for more of them, so that one computation serves many. Validation reads two months of a
 * device each time, and people look at its findings once a day or an hour.
 */
const gatherSec: Readonly<Record<DependantKind, number>> = {
  [dueKinds.points]: 300,
  [dueKinds.virtualDevices]: 60,
  [dueKinds.validation]: 1_800,
};
/** Readings of the past wait only so long: their month may be about to be closed. */
const historyWaitSec = 60;
const freshSec = 7_200;

interface Written {
  /** Stored and changed rows. */
  readonly rows: readonly Row[];
  /** Rows that were kept as revisions only: nothing is computed of them, but they contradict what stands. */
  readonly refused?: readonly Row[];
  /** Ranges whose derived rows are due, by device. */
  readonly derived: ReadonlyMap<number, Span>;
  /** Devices with changes before their latest reading, which wait for nothing. */
  readonly late: ReadonlySet<number>;
  /** Devices with values that somebody has decided about: they come before all others. */
  readonly decided: ReadonlySet<number>;
  /** Kinds that depend on devices now, as bits by device; of the others what is cached of them holds. */
  readonly dependants: ReadonlyMap<number, number>;
  readonly now: number;
}

/** What must be recomputed because of these rows. A device on which nothing depends adds nothing. */
export function marksOf({ derived, late, decided, now, ...written }: Written): Mark[] {
  const marks: Mark[] = [...derived].map(([deviceId, { from, to }]) => ({
    kind: dueKinds.derived,
    deviceId,
    from,
    to,
  }));
  for (const [deviceId, { dependants, whole, counters, judged }] of touchedSpans(written)) {
    for (const kind of dependantKinds) {
      const span = {
        [dueKinds.points]: counters,
        [dueKinds.virtualDevices]: whole,
        [dueKinds.validation]: judged,
      }[kind];
      if (!span) continue;
      const waitSec = span.from > now - freshSec ? gatherSec[kind] : historyWaitSec;
      const dueAt = decided.has(deviceId) ? 0 : late.has(deviceId) ? now : now + waitSec;
      if ((dependants & (1 << kind)) !== 0) marks.push({ kind, deviceId, ...span, dueAt });
    }
  }
  return marks;
}

interface Touched {
  readonly dependants: number;
  readonly whole: Span | undefined;
  /** Of rows of types that have counters: points depend on nothing else. */
  readonly counters: Span | undefined;
  /** The same with refused rows. */
  readonly judged: Span;
}

function touchedSpans({
  rows,
  refused = [],
  dependants: current,
}: Pick<Written, "rows" | "refused" | "dependants">): Map<number, Touched> {
  const spans = new Map<number, Touched>();
  for (const { device, ts, set } of rows) {
    const { id } = device;
    const dependants = current.get(id) ?? device.dependants;
    if (dependants === 0) continue;
    const known = spans.get(id);
    const counters = set.counters.length > 0 ? withTime(known?.counters, ts) : known?.counters;
    const whole = withTime(known?.whole, ts);
    spans.set(id, { dependants, whole, counters, judged: whole });
  }
  for (const { device, ts } of refused) {
    const dependants = current.get(device.id) ?? device.dependants;
    const known = spans.get(device.id);
    const { whole, counters } = known ?? { whole: undefined, counters: undefined };
    if (dependants !== 0)
      spans.set(device.id, { dependants, whole, counters, judged: withTime(known?.judged, ts) });
  }
  return spans;
}

const withTime = (span: Span | undefined, ts: number): Span => ({
  from: Math.min(span?.from ?? ts, ts),
  to: Math.max(span?.to ?? ts, ts),
});

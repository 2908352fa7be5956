import type { FieldName } from "@metrum/vocabulary";
import { dayOf, type Services } from "#core";
import {
  counterRange,
  doubtedGrowth,
  doubtedLoad,
  doubtedSteps,
  loadSec,
  noiseOf,
  type CounterRange,
  type Point,
} from "../growth/index.ts";
import { daysFrom, type DayRow } from "../days/index.ts";
import { forever } from "./kinds.ts";
import { counterTypes, type DeviceMetadata } from "../rows/index.ts";

/** Days of the loads, with one before and one after them. */
const mostDays = loadSec / 86_400 + 2;

interface Span {
  readonly from: number;
  readonly to: number;
}

/**
 * A changed span with the decreases and leaps after it whose usual load it is part of: whether they are believed may have
 * changed with it. Days tell where a counter has fallen or leapt between them, the readings where it has within one.
 * Nothing is read of a device whose counters have no capacity, and nothing is found after the newest reading.
 */
export async function withLaterFalls<Of extends Span>(
  services: Pick<Services, "database" | "parts">,
  device: DeviceMetadata,
  span: Of,
): Promise<Of> {
  if (device.counterCapacity === undefined && device.capacities === undefined) return span;
  // A mark without an end has nothing after it.
  if (span.to === forever) return span;
  const { sets } = services.parts.readingStore;
  const from = dayOf(device.zone, span.to);
  const of = { deviceId: device.id, types: counterTypes, from, limit: mostDays };
  const points = pointsOf(await daysFrom(services.database.pool, sets, of));
  const ranges = [...points]
    .filter(([, values]) => (values.at(-1)?.ts ?? 0) > span.to)
    .map(([name, values]) => ({ name, values, range: counterRange(device, name) }))
    .filter(({ range }) => range.capacity !== undefined);
  if (ranges.length === 0) return span;
  let { to } = span;
  for (const { values, range } of ranges)
    for (const { before, after } of fallsOf(values, range))
      if (before.ts <= span.to + loadSec) to = Math.max(to, after.ts);
  const inside = await doubtedSteps(services.database.system, {
    deviceId: device.id,
    ...{ from: span.to, to: span.to + loadSec },
    counters: ranges.map(({ name, range }) => ({ name, load: doubtedLoad(range) })),
  });
  for (const { ts, ts0 } of inside) if (ts0 <= span.to + loadSec) to = Math.max(to, ts);
  return to === span.to ? span : { ...span, to };
}

/** First and last values of the counters in the days, by time. */
function pointsOf(days: readonly DayRow[]): ReadonlyMap<FieldName, readonly Point[]> {
  const points = new Map<FieldName, Point[]>();
  for (const { set, first, last, firstTs, lastTs, counts } of days)
    for (const at of set.counters) {
      const [name, one, other] = [set.fields[at], first[at] ?? null, last[at] ?? null];
      if (name === undefined || one === null || other === null) continue;
      const known = points.get(name) ?? [];
      points.set(name, known);
      known.push({ ts: counts?.firstTs[at] ?? firstTs, value: one });
      known.push({ ts: counts?.lastTs[at] ?? lastTs, value: other });
    }
  for (const known of points.values()) known.sort((a, b) => a.ts - b.ts);
  return points;
}

const fallsOf = (
  values: readonly Point[],
  range: CounterRange,
): { readonly before: Point; readonly after: Point }[] =>
  values.flatMap((after, at) => {
    const before = values[at - 1];
    if (!before) return [];
    const isFall = after.value < before.value - noiseOf(before.value);
    return isFall || after.value - before.value > doubtedGrowth(after.ts - before.ts, range)
      ? [{ before, after }]
      : [];
  });

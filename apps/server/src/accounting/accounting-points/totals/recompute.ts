import type { AccountingPointId } from "@metrum/vocabulary";
import type pg from "pg";
import { beginUnwaited, dayOf, inTransaction, startOfDay, type Day, type Services } from "#core";
import { firstCounterRow, knowingLoads, loadSec, readLoads } from "#metering/messages";
import { noteRecognised, type RecognisedEvent } from "../records/index.ts";
import { daysOf, farReach, mainRegister, nearest, type Recognised, type Sources } from "../days/index.ts";
import { isSettled } from "./known.ts";
import { historyOf, sourcesOf, type History, type Window, type WindowSources } from "./sources.ts";
import { lockDays, replaceDays, storedDays, type Replaced } from "./totalsStore.ts";

/** Days per transaction: at first 15,000 rows with a reading every minute, then as many as have few values. */
export const partDays = { first: 10, most: 40 };
/** About as many values as a part may have: 40 days of half-hours with seven registers. */
const partValues = 15_000;
/** Readings may be this far ahead of the clock. */
export const aheadSec = 2 * 86_400;

export interface Span {
  /** Both inclusive. */
  readonly from: number;
  readonly to: number;
}

/**
 * Recomputes the days of a point that depend on a changed span, part by part, each in one transaction; returns the
 * start of the rest when `isOver()`, undefined when nothing remains. Days after the span, some dozen at most, are
 * computed in the same turn: a rest has only an end of the span, and how far behind it days change is no longer known.
 */
export async function recomputePoint(
  services: Services,
  pointId: AccountingPointId,
  { from, to, isOver }: Span & { readonly isOver: () => boolean },
): Promise<number | undefined> {
  let [next, days] = [from, partDays.first];
  let reach: Reach = { before: nearest, after: nearest };
  for (;;) {
    const wanted = { pointId, from: next, to, days, reach, isFirst: next === from };
    const part = await inTransaction(services.database.pool, async (client) => {
      await client.query(beginUnwaited);
      return recomputePart(services, client, wanted);
    });
    if (part.rest === undefined || (part.rest <= to && isOver())) return part.rest;
    [next, reach] = [part.rest, { before: nearest, after: part.after }];
    days = nextLength(days, part.values);
  }
}

/** Days of the next part, after one of so many days had so many values. */
export function nextLength(days: number, values: number): number {
  const wanted = Math.floor((days * partValues) / Math.max(1, values));
  return Math.min(Math.max(wanted, partDays.first), partDays.most);
}

/** Seconds before and after changed values within which days change too. */
interface Reach {
  readonly before: number;
  readonly after: number;
}

interface Wanted extends Span {
  readonly pointId: AccountingPointId;
  readonly days: number;
  readonly reach: Reach;
  /** The part begins with the changed span. */
  readonly isFirst: boolean;
}

interface Part {
  /** Undefined when nothing remains. */
  readonly rest?: number;
  /** Values that were read. */
  readonly values: number;
  /** Reach after the changed span. */
  readonly after: number;
}

const nothing: Part = { values: 0, after: nearest };

/**
 * The next part that has anything to compute. Readings six hours away are interpolated with, so days there change
 * too; of a register that is read rarely, those of nine days. Whether a decrease is a rollover follows from the load of
 * forty days before it, so days with one change as well.
 */
async function recomputePart(services: Services, client: pg.ClientBase, wanted: Wanted): Promise<Part> {
  const { pointId, from, to, days, reach, isFirst } = wanted;
  await lockDays(client, pointId);
  const history = await historyOf(services, client, pointId);
  if (!history) return nothing;
  const { zone, stored } = history;
  const now = services.clock.now();
  const end = Math.min(to, now + aheadSec);
  const near = dayOf(zone, end + reach.after);
  const begin = dayOf(zone, from - reach.before);
  const falls = { from: dayOf(zone, end), to: dayOf(zone, end + loadSec) };
  const { next, fall } = await storedDays(client, { pointId, fields: stored, from: begin, falls });
  const last = Math.max(near, fall ?? near);
  const first = await firstDay(client, { from: begin, to: last, history, stored: next });
  if (first === undefined) return nothing;
  const window = { pointId, zone, from: first, to: Math.min(first + days - 1, last) };
  const isFollowed = window.to < last;
  const { found, further } = await knowingLoads(readLoads(client), async (samplesOf) => {
    const asked = { window: { ...window, isFollowed }, history, samplesOf };
    const read = await sourcesOf(services, client, asked);
    const point = { ...read.sources, window, registers: read.registers, now };
    const wanting: Reach = {
      before: isFirst && !isSettled(point, { from, to }, "before") ? farReach : reach.before,
      after: !isFollowed && !isSettled(point, { from, to }, "after") ? farReach : reach.after,
    };
    return { found: rowsOf(window, read), further: wanting };
  });
  if (further.before > reach.before || further.after > reach.after)
    return recomputePart(services, client, { ...wanted, reach: further, days: partDays.most });
  const { registers, spans, events, values } = found;
  await replaceDays(client, pointId, { registers, stored, now });
  if (history.hasRecognised || events.length > 0) await noteRecognised(client, { pointId, spans, events });
  const rest = isFollowed ? { rest: startOfDay(zone, window.to + 1) + nearest } : {};
  return { values, after: reach.after, ...rest };
}

interface Search extends Pick<Window, "from" | "to"> {
  readonly history: History;
  /** The first day that has a row. */
  readonly stored: Day | null;
}

/** The first day of a range with a row, a reading, an end of a tie, a noted value, or an added amount. */
export async function firstDay(
  client: pg.ClientBase,
  { from, to, history, stored }: Search,
): Promise<Day | undefined> {
  const { zone } = history;
  const start = startOfDay(zone, from);
  const end = startOfDay(zone, to + 1);
  // A value at midnight ends the day before it.
  const endingAt = (ts: number): Day => Math.max(from, dayOf(zone, ts - 1));
  const days = [stored];
  for (const tie of history.ties) {
    for (const ts of [tie.from, tie.to]) if (ts !== null && ts >= start) days.push(endingAt(ts));
    const span = { from: Math.max(start, tie.from), to: Math.min(end, tie.to ?? end) };
    if (span.from > span.to) continue;
    const ts = await firstCounterRow(client, { deviceId: tie.deviceId, ...span });
    if (ts !== undefined) days.push(endingAt(ts));
  }
  for (const { from: ts } of history.ratios) if (ts >= start) days.push(endingAt(ts));
  for (const added of history.added) if (added.to > start) days.push(Math.max(from, dayOf(zone, added.from)));
  const found = days.filter((day) => day !== null && day >= from && day <= to);
  return found.length === 0 ? undefined : Math.min(...found.map((day) => day ?? to));
}

/** Rows and events of a window, and of the days beside it that a gap joins with it. */
export interface Computed {
  readonly registers: readonly Replaced[];
  readonly spans: readonly Span[];
  readonly events: readonly RecognisedEvent[];
  /** Values that were read. */
  readonly values: number;
}

export async function computeDays(
  services: Services,
  client: pg.ClientBase,
  given: { readonly window: Window; readonly history: History },
): Promise<Computed> {
  return knowingLoads(readLoads(client), async (samplesOf) =>
    rowsOf(given.window, await sourcesOf(services, client, { ...given, samplesOf })),
  );
}

function rowsOf(window: Window, { sources, registers }: WindowSources): Computed {
  const { zone, from, to } = window;
  const days = Array.from({ length: to - from + 1 }, (_, n) => from + n);
  const results: Replaced[] = [];
  let found: Pick<Computed, "spans" | "events"> = { spans: [], events: [] };
  for (const { field, beside } of registers) {
    const own = [...days, ...beside];
    const { rows, recognised } = daysOf(sources, field, own);
    results.push({ field, days: own, rows });
    if (field === mainRegister)
      found = { spans: own.map((day) => spanOf(zone, day)), events: recognised.map(eventOf) };
  }
  return { registers: results, ...found, values: countOf(sources) };
}

function countOf({ readings }: Sources): number {
  let count = 0;
  for (const fields of readings.values()) for (const values of fields.values()) count += values.length;
  return count;
}

/** An event at midnight belongs to the day that it ends. */
const spanOf = (zone: string, day: Day): Span => ({
  from: startOfDay(zone, day) + 1,
  to: startOfDay(zone, day + 1),
});

/** Events are those of the main register; days show the others by their flags. */
const eventOf = ({ ts, kind, device_id, ...details }: Recognised): RecognisedEvent => ({
  ts,
  kind,
  device_id,
  details,
});

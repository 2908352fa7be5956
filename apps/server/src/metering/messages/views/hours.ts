import type { FieldName } from "@metrum/vocabulary";
import { offsetSec, product, sum } from "#core";
import type { SeriesRow } from "../read/index.ts";
import { isTrusted, sourceOfValue, statusOfValue, worstStatus, type ValueOrigin } from "../rows/index.ts";

const hour = 3600;
const halfHour = 1800;

/**
 * Half-hour rows of a profile, oldest first, aggregated by hours of the zone's clock and stamped with their
 * start: averages, which equal the energy of the hour. Computed by value, whichever messages brought the
 * halves: if one half of an hour is missing, suspect or rejected the value is null, and its status says why.
 * The hour gets the most severe status and the latest receipt. If clocks move by half an hour, the remaining
 * half-hour is omitted.
 */
export function toHours(rows: readonly SeriesRow[], zone: string): SeriesRow[] {
  const hours = new Map<number, SeriesRow[]>();
  for (const row of rows) {
    const start = hourStart(zone, row.ts);
    const halves = hours.get(start);
    if (halves) halves.push(row);
    else hours.set(start, [row]);
  }
  return [...hours].map(([start, halves]) => hourOf(start, halves));
}

/** The hour of the zone's clock of an instant; it begins no earlier than the last clock change. */
function hourStart(zone: string, at: number): number {
  const start = at - ((((at + offsetSec(zone, at)) % hour) + hour) % hour);
  const isMoved = offsetSec(zone, start) !== offsetSec(zone, at);
  return isMoved ? at - (at % halfHour) : start;
}

function hourOf(start: number, halves: readonly SeriesRow[]): SeriesRow {
  const fields = [...new Set(halves.flatMap(({ set }) => set.fields))];
  const by_field: Record<string, ValueOrigin> = {};
  const [first, second] = halves;
  const isWhole = halves.length === 2 && (second?.ts ?? 0) - (first?.ts ?? 0) === halfHour;
  const v = fields.map((name) => {
    const known = halves.flatMap((row) => valueIn(row, name));
    const status = worstStatus(known.map((each) => each.status));
    if (status !== undefined) by_field[name] = originOf(start, known, status);
    const isKnown = isWhole && known.length === 2 && status !== undefined && isTrusted(status);
    return isKnown ? product(sum(known.map(({ value }) => value)), 0.5) : null;
  });
  const status = worstStatus(Object.values(by_field).map((each) => each.status)) ?? halves[0]?.status ?? 0;
  return {
    ts: start,
    real: null,
    received: Math.max(...halves.map((row) => row.ts + row.received - start)),
    status,
    source: Math.max(...halves.map((row) => row.source)),
    by_field: Object.values(by_field).some((each) => each.status !== status) ? by_field : null,
    set: { fields },
    v,
    extra: null,
  };
}

interface Known {
  readonly value: number;
  readonly status: number;
  readonly source: number;
  readonly receivedAt: number;
}

function valueIn(row: SeriesRow, name: FieldName): Known[] {
  const value = row.v[row.set.fields.indexOf(name)] ?? null;
  if (value === null) return [];
  const receivedAt = row.by_field?.[name]?.received_at ?? row.ts + row.received;
  return [{ value, status: statusOfValue(row, name), source: sourceOfValue(row, name), receivedAt }];
}

const originOf = (start: number, known: readonly Known[], status: number): ValueOrigin => ({
  status,
  source: Math.max(...known.map(({ source }) => source)),
  received_at: Math.max(start, ...known.map(({ receivedAt }) => receivedAt)),
});

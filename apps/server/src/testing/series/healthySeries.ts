import type { FieldName, ResourceKey } from "@metrum/vocabulary";
import { sources, statuses } from "@metrum/vocabulary";
import type { Given, Value } from "#accounting/validation";
import { dayOf, offsetSec, startOfDay } from "#core";

export const healthyZone = "Europe/Berlin";

/** Seconds between two readings; a month is a calendar month. */
export const rhythms = {
  minute: 60,
  quarter: 900,
  halfHour: 1_800,
  hour: 3_600,
  sixHours: 21_600,
  day: 86_400,
  week: 604_800,
  month: "month",
} as const;
export type Rhythm = keyof typeof rhythms;

const daySec = 86_400;
const gridSec = 900;
/** Readings a minute apart are read at this distance in the history, as the store does. */
const spreadSec = 1_560;

/** Mean consumption per hour, and the register, by resource. */
const kinds: Readonly<Partial<Record<ResourceKey, { readonly perHour: number; readonly field: FieldName }>>> =
  {
    electricity: { perHour: 2, field: "tariff0" },
    water: { perHour: 0.05, field: "in1" },
    gas: { perHour: 0.3, field: "in1" },
    heat: { perHour: 0.02, field: "tariff1" },
  };

export interface Wanted {
  readonly resource?: ResourceKey;
  readonly rhythm?: Rhythm;
  /** The last day of the series; about the middle of the judged span. */
  readonly around: number;
  readonly seed?: number;
  readonly ratio?: number;
  readonly jitterSec?: number;
  /** Hour of the day of daily and rarer readings. */
  readonly hourOfDay?: number;
  /** Consumption at an instant, by what is usual then. */
  readonly load?: (usual: number, ts: number) => number;
}

/** Pseudo-random numbers from 0 to 1 by seed and position: mulberry32. */
export function noise(seed: number, at: number): number {
  let mixed = (seed * 0x9e3779b1 + at * 0x85ebca6b + 0x6d2b79f5) | 0;
  mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
  mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
  return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
}

/** Day and night, weekdays and weekends, and a noise of a fifth. */
function usualAt(perHour: number, seed: number, ts: number): number {
  const local = ts + offsetSec(healthyZone, ts);
  const hour = (local % daySec) / 3600;
  const weekday = Math.floor(local / daySec + 4) % 7;
  const ofDay = 0.4 + Math.max(0, Math.sin(((hour - 6) / 18) * Math.PI)) * 0.9;
  const ofWeek = weekday === 0 || weekday === 6 ? 0.8 : 1;
  return perHour * ofDay * ofWeek * (0.9 + 0.2 * noise(seed, Math.floor(ts / 3600)));
}

/** Instants of readings, with a jitter that never changes their order. */
function timesOf(
  wanted: Wanted,
  span: { readonly from: number; readonly to: number; readonly since: number },
): number[] {
  const { rhythm = "hour", seed = 1, jitterSec = 20, hourOfDay = 0 } = wanted;
  const every = rhythms[rhythm];
  const moved = (ts: number): number => {
    const most = Math.min(jitterSec, every === "month" ? 3600 : every / 4);
    return Math.round(ts + (noise(seed + 7, ts) - 0.5) * 2 * most);
  };
  if (every === "month" || every >= daySec) {
    const days: number[] = [];
    for (let day = dayOf(healthyZone, span.from); startOfDay(healthyZone, day) < span.to; day++) {
      const isDue =
        every === "month" ? new Date(day * daySec * 1000).getUTCDate() === 1 : (day * daySec) % every === 0;
      if (isDue) days.push(moved(startOfDay(healthyZone, day) + hourOfDay * 3600));
    }
    return days;
  }
  const times: number[] = [];
  for (let ts = span.from; ts < span.to; ts += ts < span.since && every < spreadSec ? spreadSec : every)
    times.push(moved(ts));
  return times;
}

interface Period {
  readonly from: number;
  readonly to: number;
  readonly since: number;
}

/** Consumption up to each quarter of an hour since the start: a line between them, which every register follows. */
interface Consumed {
  readonly total: Float64Array;
  readonly high: Float64Array;
  readonly low: Float64Array;
  readonly from: number;
}

function consumedIn({ from, to }: Period, loadAt: (ts: number) => number): Consumed {
  const quarters = Math.ceil((to + daySec - from) / gridSec);
  const grid = () => new Float64Array(quarters + 1);
  const [total, high, low] = [grid(), grid(), grid()];
  for (let at = 0; at < quarters; at++) {
    const ts = from + at * gridSec;
    const amount = (loadAt(ts) * gridSec) / 3600;
    const hour = Math.floor(((ts + offsetSec(healthyZone, ts)) % daySec) / 3600);
    const isHigh = hour >= 7 && hour < 23;
    total[at + 1] = (total[at] ?? 0) + amount;
    high[at + 1] = (high[at] ?? 0) + (isHigh ? amount : 0);
    low[at + 1] = (low[at] ?? 0) + (isHigh ? 0 : amount);
  }
  return { total, high, low, from };
}

/** A register as it is shown, with three decimals. */
function levelAt(grid: Float64Array, place: number, base: number): number {
  const at = Math.min(grid.length - 2, Math.floor(Math.max(0, place)));
  const [one, next] = [grid[at] ?? 0, grid[at + 1] ?? 0];
  return Number((base + one + (next - one) * (Math.max(0, place) - at)).toFixed(3));
}

type SeriesOf = (
  field: FieldName,
  of: (ts: number) => number,
  given?: Partial<Value> & { readonly at?: readonly number[] },
) => readonly [FieldName, readonly Value[]];

const seriesAt =
  (times: readonly number[], seed: number): SeriesOf =>
  (field, of, { at = times, ...given } = {}) => [
    field,
    at.map((ts) => ({
      ...{ ts, field, value: of(ts), msgType: 100, status: statuses.measured.id },
      ...{ source: sources.polled, receivedAt: ts + 5, meterAt: ts + Math.round(noise(seed, ts) * 10) - 5 },
      ...given,
    })),
  ];

/** Tariffs, export, half-hours and states of an electricity meter. */
function electricity(
  { total, high, low, from }: Consumed,
  { to }: Period,
  {
    seed,
    times,
    series,
  }: { readonly seed: number; readonly times: readonly number[]; readonly series: SeriesOf },
): (readonly [FieldName, readonly Value[]])[] {
  const place = (ts: number): number => (ts - from) / gridSec;
  const halves = Array.from({ length: Math.floor((to - from) / 1_800) }, (_, at) => from + at * 1_800);
  const power = (ts: number): number =>
    Number(((levelAt(total, place(ts + 1_800), 0) - levelAt(total, place(ts), 0)) * 2).toFixed(3));
  const state = { msgType: 2, at: times.length > 300 ? times : [] };
  const volts = (phase: number) => (ts: number) =>
    Number((228 + phase + 6 * (noise(seed + phase, ts) - 0.5)).toFixed(1));
  const amperes = (phase: number) => (ts: number) => Number((2 + noise(seed + phase, ts)).toFixed(3));
  return [
    series("tariff1", (ts) => levelAt(high, place(ts), 3_000)),
    series("tariff2", (ts) => levelAt(low, place(ts), 1_000)),
    series("tariff_negative0", () => 12.5),
    series("power_a_plus", power, { msgType: 5, meterAt: null, at: halves }),
    series("voltage1", volts(1), state),
    series("voltage2", volts(2), state),
    series("voltage3", volts(3), state),
    series("current1", amperes(1), state),
    series("current2", amperes(2), state),
    series("current3", amperes(3), state),
    series("coruu1", () => 120.1, state),
    series("coruu2", () => 239.8, state),
  ];
}

function periodOf({ around, rhythm }: Wanted): Period {
  const day = dayOf(healthyZone, around);
  const isDense = rhythm === "minute";
  return {
    from: startOfDay(healthyZone, day - 93),
    to: startOfDay(healthyZone, day + (isDense ? 4 : 33)),
    since: startOfDay(healthyZone, day - (isDense ? 4 : 31)),
  };
}

/** What every healthy device of the kind shows, judged over two months with two months of history. */
export function healthyGiven(wanted: Wanted): Given {
  const { resource = "electricity", seed = 1, ratio = 1, load = (usual) => usual } = wanted;
  const { perHour, field } = kinds[resource] ?? { perHour: 1, field: "in1" as const };
  const period = periodOf(wanted);
  const consumed = consumedIn(period, (ts) => load(usualAt(perHour, seed, ts), ts));
  const times = timesOf(wanted, period);
  const series = seriesAt(times, seed);
  const main = series(field, (ts) => levelAt(consumed.total, (ts - period.from) / gridSec, 4_000));
  const always = { from: period.from - daySec, to: null };
  return {
    resource,
    zone: healthyZone,
    now: period.to,
    field,
    span: { from: period.since, to: period.to },
    ratio,
    siblings: [1, 2, 3].map((at) => siblingOf(perHour, seed + at, period)),
    known: [],
    rangeOf: () => ({ capacity: undefined, start: 0 }),
    levels: new Map([
      main,
      ...(resource === "electricity" ? electricity(consumed, period, { seed, times, series }) : []),
    ]),
    clock: main[1].map(({ ts, meterAt }) => ({ ts, offset: (meterAt ?? ts) - ts })),
    serial: { named: "41200045", registered: "0041200045", since: period.from, lastAt: period.to },
    terms: {
      measured: [always],
      contractPower: [{ ...always, kw: perHour * ratio * 3 }],
      parties: [always],
      hasParties: true,
      ratioOver: () => ratio,
    },
  };
}

/** Consumption by day of a device of the same kind. */
function siblingOf(
  perHour: number,
  seed: number,
  { from, to }: { readonly from: number; readonly to: number },
): ReadonlyMap<number, number> {
  const days = new Map<number, number>();
  for (let ts = from; ts < to; ts += 3600) {
    const day = dayOf(healthyZone, ts);
    days.set(day, (days.get(day) ?? 0) + usualAt(perHour, seed, ts));
  }
  return days;
}

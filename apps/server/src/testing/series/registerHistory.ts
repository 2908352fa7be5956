import { statuses, type AccountingPointId, type DeviceId, type FieldName } from "@metrum/vocabulary";
import type { CounterReading } from "#metering/messages";

/** Numbers by chance that are the same for the same seed. */
export function chance(seed: number): (below: number) => number {
  let state = seed >>> 0;
  return (below) => {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 13), state | 61);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

const [hour, day] = [3600, 86_400];
/** Seconds between two readings: of a meter on line, one read daily, weekly, monthly, and holes of any length. */
const paces = [
  [hour / 2, hour, 2 * hour, 7 * hour, 30 * hour],
  [day, day, day + 1200, day - 900, 2 * day],
  [7 * day, 7 * day + 5 * hour, 6 * day, 8 * day],
  [30 * day, 31 * day + 300, 28 * day - 400, 61 * day],
] as const;

export interface HistoryTie {
  readonly pointId: AccountingPointId;
  readonly deviceId: DeviceId;
  readonly field: FieldName;
  readonly from: number;
  readonly to: number | null;
  readonly opening: Readonly<Partial<Record<FieldName, number>>>;
  readonly closing: Readonly<Partial<Record<FieldName, number>>>;
}

/** What is known of a point with up to three meters, one after another, of two registers each. */
export interface RegisterHistory {
  readonly ties: readonly HistoryTie[];
  readonly readings: ReadonlyMap<DeviceId, ReadonlyMap<FieldName, readonly CounterReading[]>>;
  readonly ratios: readonly { readonly from: number; readonly factor: string }[];
  readonly added: readonly {
    readonly field: string;
    readonly from: number;
    readonly to: number;
    readonly amount: string;
  }[];
  readonly start: number;
  readonly end: number;
}

/** Capacity of every counter. */
export const historyCapacity = 100_000;
const registers: readonly FieldName[] = ["tariff0", "tariff1"];
const factors = ["1", "40", "0.333333", "1000", "1.5", "20"] as const;

/** A history by chance, from an instant on. */
export function registerHistory(seed: number, start: number): RegisterHistory {
  const pick = chance(seed);
  const readings = new Map<DeviceId, Map<FieldName, CounterReading[]>>();
  const ties: HistoryTie[] = [];
  const added: { field: string; from: number; to: number; amount: string }[] = [];
  let at = start + pick(40) * hour + pick(3) * 300;
  const count = 1 + (pick(5) % 3);
  for (let n = 0; n < count; n++) {
    const deviceId = (n + 1) as DeviceId;
    const from = at;
    const pace = paces[pick(paces.length)] ?? paces[0];
    const values = new Map(registers.map((field) => [field, pick(historyCapacity * 1000) / 1000]));
    const noted = (): HistoryTie["opening"] =>
      pick(2) === 0 ? {} : Object.fromEntries([...values].filter(() => pick(4) > 0));
    const own = new Map(registers.map((field): [FieldName, CounterReading[]] => [field, []]));
    readings.set(deviceId, own);
    const opening = noted();
    for (let left = 2 + pick(pace === paces[3] ? 2 : 6); left > 0; left--) {
      read({ at, values, own, pick });
      at += stepOf(pick, pace);
      for (const [field, value] of values) values.set(field, moved(value, pick));
    }
    const isLast = n === count - 1;
    const to = isLast && pick(2) === 0 ? null : at;
    ties.push({
      ...{ pointId: 1 as AccountingPointId, deviceId, field: "tariff0", from, to, opening },
      closing: to === null ? {} : noted(),
    });
    if (isLast) continue;
    const pause = [0, 0, 600, 5 * hour, 3 * day][pick(5)] ?? 0;
    if (pause > 0 && pick(2) === 0)
      added.push({
        ...{ field: pick(3) > 0 ? "main" : "tariff1", from: at },
        ...{ to: at + pause, amount: String(pick(99_999) / 1000) },
      });
    at += pause;
  }
  return { ties, readings, ratios: ratiosBetween(pick, start, at), added, start, end: at };
}

const ratiosBetween = (pick: Pick, start: number, end: number): RegisterHistory["ratios"] =>
  Array.from({ length: pick(4) }, () => ({
    from: start + pick(Math.max(1, end - start)),
    factor: factors[pick(factors.length)] ?? "1",
  })).sort((a, b) => a.from - b.from);

type Pick = (below: number) => number;

/** Seconds to the next reading: mostly of the pace, sometimes a hole. */
const stepOf = (pick: Pick, pace: readonly number[]): number =>
  (pick(12) === 0 ? pick(20) * day + 600 : (pace[pick(pace.length)] ?? hour)) +
  (pick(4) === 0 ? pick(1200) - 600 : 0);

const types = [1, 1, 1, 100, 101, 103] as const;
const trusted = [
  statuses.measured.id,
  statuses.measured.id,
  statuses.measured.id,
  statuses.late.id,
  statuses.manual.id,
  statuses.estimated.id,
];

function read(of: {
  readonly at: number;
  readonly values: ReadonlyMap<FieldName, number>;
  readonly own: ReadonlyMap<FieldName, CounterReading[]>;
  readonly pick: (below: number) => number;
}): void {
  const { at, values, own, pick } = of;
  const status = trusted[pick(trusted.length)] ?? statuses.measured.id;
  const msgType = types[pick(types.length)] ?? 1;
  for (const [field, value] of values)
    // A row may be filled half.
    if (pick(8) > 0) own.get(field)?.push({ ts: at, value, status, msgType, isCalculated: false });
}

/** The next value: growth, none, a reset or a rollover. */
function moved(value: number, pick: (below: number) => number): number {
  const how = pick(20);
  if (how === 0) return pick(5000) / 1000;
  if (how === 1) return value;
  const next = value + pick(3_000_000) / 1000;
  return Math.round((next >= historyCapacity ? next - historyCapacity : next) * 1000) / 1000;
}

import { statuses, type DeviceId } from "@metrum/vocabulary";
import { microOf, numberOf, type Services } from "#core";
import { knowingLoads, readLoads, type Incoming } from "#metering/messages";
import { createFieldSets } from "../../metering/messages/rows/fieldSets.ts";
import { pulseHours } from "../../metering/messages/growth/load.ts";
import { readSeries } from "../../metering/messages/read/seriesStore.ts";
import { tableOf } from "../../metering/messages/views/table.ts";
import { totalsOf } from "../../metering/messages/views/totals.ts";

/** What is hard about a counter. */
export const troubles = {
  /** The meter is exchanged for another at any fill, lower or higher; and it rolls over. */
  exchange: { capacity: 10_000_000 },
  /** Its value is converted in two ways, so that it wobbles by the last digit of a float. */
  wobble: { capacity: 10_000_000_000 },
  /** Twelve digits and three decimals. */
  large: { capacity: 10_000_000_000_000 },
} as const;
export type Trouble = keyof typeof troubles;

/** A reading with what was counted since the one before, in millionths; null: nobody can know it. */
export interface Counted {
  readonly reading: Incoming;
  readonly truth: bigint | null;
  readonly isExchanged: boolean;
}

const hour = 3600;
const micro = 1_000_000n;

/** An honest meter, read every hour, with one trouble. */
export function* countedReadingsOf(
  deviceId: DeviceId,
  {
    start,
    trouble,
    random,
  }: { readonly start: number; readonly trouble: Trouble; readonly random: (below: number) => number },
): Generator<Counted, never> {
  const end = BigInt(troubles[trouble].capacity) * micro;
  const load = 50 + random(3_000);
  let value = firstOf(trouble, { end, load, random });
  let isUnknown = true;
  for (let n = 0; ; n++) {
    const isExchanged = trouble === "exchange" && n > 5 && random(60) === 0;
    const grown = trouble === "wobble" ? 0n : BigInt(load + random(load)) * (micro / 1000n);
    const wobble = trouble === "wobble" ? BigInt(random(2)) : 0n;
    if (isExchanged) value = exchanged(value, { end, load, random });
    else value = (value + grown) % end;
    const ts = start + n * hour;
    yield {
      reading: {
        ...{ deviceId, msgType: 1, ts, receivedAt: ts + 1, source: "polled" },
        values: { in1: numberOf(value + wobble) },
      },
      truth: isUnknown || isExchanged ? null : grown,
      isExchanged,
    };
    isUnknown = isExchanged;
  }
}

interface Made {
  readonly end: bigint;
  readonly load: number;
  readonly random: (below: number) => number;
}

/** An exchanged meter begins some readings before its end, or anywhere in its last tenth. */
function firstOf(trouble: Trouble, { end, load, random }: Made): bigint {
  if (trouble === "wobble") return 1_000_000_000n * micro + BigInt(random(1_000)) * 1_000n;
  if (trouble === "large") return 1_000_000_000_000n * micro + BigInt(random(1_000_000)) * 1_000n;
  const before = random(2) === 0 ? BigInt(load * (8 + random(60))) : BigInt(random(1_000_000_000));
  return end - before * 1_000n;
}

/**
 * The value of another meter, as often higher as lower: higher by a thousandth of the counter at least, as nobody can
 * tell less from what a meter counts that runs at full load, and lower by what it does not count in ten hours, as it
 * would be a misread value or a rollover.
 */
function exchanged(value: bigint, { end, load, random }: Made): bigint {
  const room = end - end / 1000n - value;
  const lower = random(2) === 0 ? lowerThan(value, random) : value;
  const least = (BigInt(load) * 20n * micro) / 1000n;
  if (value - lower > least && lower + end - value > least) return lower;
  if (room <= 0n) return end / 2n;
  return ((value + end / 1000n + (room * BigInt(random(1_000_000))) / micro) / 1000n) * 1000n;
}

/** The value of another meter: as often in its first tenth as anywhere below. */
function lowerThan(value: bigint, random: (below: number) => number): bigint {
  const share = BigInt(random(random(2) === 0 ? 100_000 : 1_000_000));
  const other = (value * share) / micro;
  return (other / 1000n) * 1000n;
}

/** What the tables and totals show of a counter, in millionths: by time, and of the whole. */
async function shownGrowthOf(
  { database }: Services,
  deviceId: DeviceId,
  trouble: Trouble,
): Promise<{ readonly steps: ReadonlyMap<number, bigint | null>; readonly total: bigint | null }> {
  const period = { deviceId, msgType: 1, from: 0, to: 2 ** 40, limit: 1_000_000 };
  const rows = await readSeries(database.system, createFieldSets(database.pool), period);
  return knowingLoads(readLoads(database.pool), (samplesOf) => {
    const how = {
      ...{ resource: "water" as const, language: "en" as const, falls: new Map() },
      rangeOf: () => ({
        ...troubles[trouble],
        ...{ start: 0, holdsHours: pulseHours, samplesAt: samplesOf(deviceId, "in1") },
      }),
    };
    const { columns } = tableOf(rows, {
      ...how,
      ...{ msgType: 1, before: new Map(), withRA: false, extraFields: [] },
    });
    const { totals } = totalsOf(rows, { ...how, intervalHours: undefined });
    const whole = totals.find(({ kind }) => kind === "growth")?.value;
    return {
      steps: new Map(
        (columns["delta_in1"] ?? []).map((cell, at) => [
          Number(columns["datetime"]?.[at]),
          typeof cell === "number" ? microOf(cell) : null,
        ]),
      ),
      total: whole == null ? null : microOf(whole),
    };
  });
}

/** Statuses of the readings of a meter by time. */
async function statusesOf({ database }: Services, deviceId: DeviceId): Promise<ReadonlyMap<number, number>> {
  const { rows } = await database.pool.query<{ ts: number; status: number }>(
    "select ts, status from message where device_id = $1 and msg_type = 1",
    [deviceId],
  );
  return new Map(rows.map(({ ts, status }) => [ts, status]));
}

/** What is shown of a meter and is not true, one line each. */
export async function wrongOf(
  services: Services,
  trouble: Trouble,
  counted: readonly Counted[],
): Promise<string[]> {
  const [first] = counted;
  if (!first) return [];
  const { deviceId } = first.reading;
  const { steps, total } = await shownGrowthOf(services, deviceId, trouble);
  const found = await statusesOf(services, deviceId);
  // A value that wobbles is once at its higher end.
  const isRight = (shown: bigint | null | undefined, truth: bigint | null): boolean =>
    shown === truth || (trouble === "wobble" && shown === 1n && truth === 0n);
  const known = counted.slice(1).map(({ truth }) => truth);
  const whole = known.includes(null) ? null : known.reduce<bigint>((sum, each) => sum + (each ?? 0n), 0n);
  return [
    ...counted.flatMap(({ reading: { ts }, truth, isExchanged }) => {
      const isSuspect = found.get(ts) === statuses.suspect.id;
      const shown = steps.get(ts);
      if (isRight(shown, truth) && isSuspect === isExchanged) return [];
      return [`${String(ts)}: ${String(shown)} instead of ${String(truth)}, suspect: ${String(isSuspect)}`];
    }),
    ...(isRight(total, whole) ? [] : [`sum ${String(total)} instead of ${String(whole)}`]),
  ];
}

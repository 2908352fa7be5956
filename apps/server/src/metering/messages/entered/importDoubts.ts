import { fields, isFieldName, sources, type FieldName } from "@metrum/vocabulary";
import type { Db, Parts } from "#core";
import { nearestRows, type MessageRow } from "../read/index.ts";
import { isSaid } from "../views/index.ts";
import {
  counterRange,
  growth,
  knowingLoads,
  readLoads,
  type CounterRange,
  type Point,
  type SamplesOf,
} from "../growth/index.ts";
import { fileValues, type FileValues } from "./fileValues.ts";
import {
  counterTypes,
  parseValues,
  sourceOfValue,
  trustedValues,
  type DeviceMetadata,
  type FieldSet,
  type Incoming,
} from "../rows/index.ts";
import { firstAfter, newestBefore } from "./plausible.ts";
import { withDoubts } from "./vouch.ts";

interface Reaching {
  readonly db: Db;
  readonly parts: Pick<Parts, "readingStore">;
}

const atOnce = 1_000;
/** Reason of an imported value that waits for a confirmation, in the history of its row. */
const reason = "imported, not confirmed";

/** Imported readings in the form in which they are stored, and how many of them have a doubtful value. */
export interface Doubted {
  readonly readings: readonly Incoming[];
  readonly doubted: number;
}

/**
 * A file of a person decides nothing about what is known: counters that are not in line with the trusted readings on
 * both sides, or differ from what the meter itself has said of that time, are suspect. The rows of the file before it
 * count as such readings too. Readings newer than all others of their device are judged by ingest, like those of the
 * meter: of them only a second value of one instant is doubted here.
 */
export async function withImportDoubts(ctx: Reaching, readings: readonly Incoming[]): Promise<Doubted> {
  const { metadata } = ctx.parts.readingStore;
  const devices = await metadata.of(new Set(readings.map(({ deviceId }) => deviceId)));
  const newest = await newestOf(ctx, [...devices.keys()]);
  const isAmong = ({ deviceId, ts }: Incoming): boolean => ts <= (newest.get(deviceId) ?? -Infinity);
  const among = readings.filter(isAmong);
  const farther = fartherValues(ctx);
  const file = fileValues();
  const doubts = new Map<Incoming, ReadonlySet<string>>();
  for (let at = 0; at < among.length; at += atOnce) {
    const part = among.slice(at, at + atOnce);
    const near = await ofInstants(ctx, part);
    const rows = await farther(part, near);
    const found = await knowingLoads(readLoads(ctx.db), (samplesOf) => {
      file.discard();
      return part.map((reading, nth) => {
        const device = devices.get(reading.deviceId);
        return device ? doubtedOf(reading, device, { rows: rows[nth] ?? [], file, samplesOf }) : [];
      });
    });
    file.keep();
    part.forEach((reading, nth) => {
      const doubted = found[nth] ?? [];
      if (doubted.length > 0) doubts.set(reading, new Set(doubted));
    });
  }
  for (const reading of readings) {
    const doubted = isAmong(reading) ? [] : saidTwice(reading, file);
    if (doubted.length > 0) doubts.set(reading, new Set(doubted));
  }
  return {
    readings: readings.flatMap((each) => {
      const doubted = doubts.get(each);
      return doubted ? withDoubts(each, doubted, reason) : [each];
    }),
    doubted: doubts.size,
  };
}

/** The newest time of a register of each device. */
async function newestOf(
  { parts: { readingStore } }: Reaching,
  deviceIds: readonly number[],
): Promise<ReadonlyMap<number, number>> {
  const { latestCache } = readingStore;
  await latestCache.load(
    deviceIds.flatMap((deviceId) => counterTypes.map((msgType) => ({ deviceId, msgType }))),
  );
  return new Map(
    deviceIds.map((id) => [
      id,
      Math.max(...counterTypes.map((msgType) => latestCache.of(id, msgType)?.ts ?? -Infinity)),
    ]),
  );
}

/** A trusted value beside an imported one. */
interface Said {
  readonly ts: number;
  readonly value: number;
  readonly isOfMeter: boolean;
}

interface Around {
  readonly ts: number;
  readonly values: ReadonlyMap<FieldName, Said>;
}

/** Rows on each side of a reading: the nearest may be doubtful, or have other fields. */
const besideEach = 4;
/** How far away they may be. */
const besideSec = 62 * 86_400;

/** What was said at readings and nearest to them, at most two months away; of each reading by time. */
async function ofInstants({ db, parts }: Reaching, part: readonly Incoming[]): Promise<Around[][]> {
  const { sets } = parts.readingStore;
  const instants = part.flatMap(({ deviceId, ts }) =>
    counterTypes.map((msgType) => ({ deviceId, msgType, ts })),
  );
  const read = await nearestRows(db, instants, {
    ...{ upTo: besideEach + 1, after: besideEach },
    ...{ reachSec: besideSec, which: "said" },
  });
  await sets.load(new Set(read.flatMap((rows) => rows.map((row) => row.field_set_id))));
  return part.map((_, n) => {
    const rows = read.slice(n * counterTypes.length, (n + 1) * counterTypes.length).flat();
    rows.sort((a, b) => a.ts - b.ts);
    return rows.flatMap((row) => saidIn(row, sets.byId(row.field_set_id)) ?? []);
  });
}

function saidIn(row: MessageRow, set: FieldSet | undefined): Around | undefined {
  if (!set) return undefined;
  const v = trustedValues({ ...row, set, v: parseValues(row.v) });
  const values = new Map<FieldName, Said>();
  set.fields.forEach((name, at) => {
    const value = v[at] ?? null;
    if (value !== null && isSaid(row, name))
      values.set(name, { ts: row.ts, value, isOfMeter: isOfMeter(sourceOfValue(row, name)) });
  });
  return { ts: row.ts, values };
}

/**
 * Adds the nearest values of registers that have none near: a meter may be read once a year. Rows: a few a device and
 * side, for one search serves all instants up to the value that it has found.
 */
function fartherValues({ db, parts }: Reaching) {
  const readers = { db, sets: parts.readingStore.sets };
  const sides = {
    before: {
      searched: new Map<string, Searched>(),
      isBeside: (ts: number, at: number) => ts < at,
      search: (of: Registers, before: number) => newestBefore(readers, { ...of, before }),
    },
    after: {
      searched: new Map<string, Searched>(),
      isBeside: (ts: number, at: number) => ts > at,
      search: (of: Registers, after: number) => firstAfter(readers, { ...of, after }),
    },
  };
  const valueOf = async (side: keyof typeof sides, name: FieldName, { deviceId, ts }: Incoming) => {
    const { searched, isBeside, search } = sides[side];
    const key = `${String(deviceId)} ${name}`;
    const known = searched.get(key);
    const isSame = known && !isBeside(known.at, ts) && (!known.point || isBeside(known.point.ts, ts));
    if (isSame) return known.point;
    const point = (await search({ deviceId, names: [name] }, ts)).get(name);
    searched.set(key, { at: ts, point });
    return point;
  };
  return async (part: readonly Incoming[], near: readonly (readonly Around[])[]) => {
    const rows = part.map((_, nth): Around[] => [...(near[nth] ?? [])]);
    const byTime = [...part.keys()].sort((a, b) => (part[a]?.ts ?? 0) - (part[b]?.ts ?? 0));
    for (const [side, order] of [
      ["before", byTime.toReversed()],
      ["after", byTime],
    ] as const)
      for (const nth of order) {
        const [reading, own] = [part[nth], rows[nth]];
        if (!reading || !own) continue;
        for (const [name] of countersIn(reading)) {
          if (own.some(({ ts, values }) => sides[side].isBeside(ts, reading.ts) && values.has(name)))
            continue;
          const point = await valueOf(side, name, reading);
          if (!point) continue;
          own.push({ ts: point.ts, values: new Map([[name, { ...point, isOfMeter: false }]]) });
        }
      }
    return rows.map((own) => own.sort((a, b) => a.ts - b.ts));
  };
}

interface Registers {
  readonly deviceId: Incoming["deviceId"];
  readonly names: readonly FieldName[];
}

/** A value that was searched for from an instant; undefined: there is none. */
interface Searched {
  readonly at: number;
  readonly point: Point | undefined;
}

const countersIn = ({ values }: Pick<Incoming, "values">): [name: FieldName, value: number][] =>
  Object.entries(values).flatMap(([name, value]) =>
    isFieldName(name) && typeof value === "number" && fields[name].kind === "counter" ? [[name, value]] : [],
  );

const isOfMeter = (source: number): boolean => source === sources.polled || source === sources.pushed;

function doubtedOf(
  reading: Incoming,
  device: DeviceMetadata,
  {
    rows,
    file,
    samplesOf,
  }: { readonly rows: readonly Around[]; readonly file: FileValues; readonly samplesOf: SamplesOf },
): FieldName[] {
  const { ts } = reading;
  return countersIn(reading)
    .filter(([name, value]) => {
      const said = rows.flatMap((row) => row.values.get(name) ?? []);
      const then = said.filter((each) => each.ts === ts && each.isOfMeter);
      const own = file.beside(device.id, name, ts);
      if (then.length > 0 ? then.every((each) => each.value !== value) : differs(own.then, value))
        return true;
      const before = later(
        said.findLast((each) => each.ts < ts),
        own.before,
      );
      const after = earlier(
        said.find((each) => each.ts > ts),
        own.after,
      );
      const range = counterRange(device, name, samplesOf(device.id, name));
      const isDoubted = then.length === 0 && !fits({ ts, value }, { before, after }, range);
      if (!isDoubted) file.add(device.id, name, { ts, value });
      return isDoubted;
    })
    .map(([name]) => name);
}

/** Registers that an earlier row of the file gives another value at the same instant. */
function saidTwice({ deviceId, ts, ...reading }: Incoming, file: FileValues): FieldName[] {
  return countersIn(reading)
    .filter(([name, value]) => {
      const isOther = differs(file.beside(deviceId, name, ts).then, value);
      if (!isOther) file.add(deviceId, name, { ts, value });
      return isOther;
    })
    .map(([name]) => name);
}

const differs = (point: Point | undefined, value: number): boolean =>
  point !== undefined && point.value !== value;

const later = (a: Point | undefined, b: Point | undefined): Point | undefined =>
  a && b ? (b.ts > a.ts ? b : a) : (a ?? b);
const earlier = (a: Point | undefined, b: Point | undefined): Point | undefined =>
  a && b ? (b.ts < a.ts ? b : a) : (a ?? b);

/** Whether a counter is in line with the values on both sides; across a reset it may belong to either. */
function fits(
  value: Point,
  { before, after }: { readonly before: Point | undefined; readonly after: Point | undefined },
  range: CounterRange,
): boolean {
  if (!before || !after) return true;
  const up = growth(before, value, range) !== null;
  const on = growth(value, after, range) !== null;
  return growth(before, after, range) === null ? up || on : up && on;
}

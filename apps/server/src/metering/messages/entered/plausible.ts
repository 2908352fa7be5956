import { fieldNames, fields, statuses, type DeviceId, type FieldName } from "@metrum/vocabulary";
import type { ReplyOf } from "@metrum/contract/core";
import type { readings } from "@metrum/contract/metering";
import { difference, type Db } from "#core";
import {
  counterTypes,
  statusOfValue,
  trustedValues,
  type DeviceMetadata,
  type FieldSets,
  type Values,
} from "../rows/index.ts";
import {
  counterRange,
  expectedGrowth,
  growth,
  knowingLoads,
  readLoads,
  mostGrowth,
  physicalGrowth,
  withoutRollover,
  type CounterRange,
  type Point,
} from "../growth/index.ts";
import { forever } from "../due/index.ts";
import { firstTrusted, isSaid, lastTrusted } from "../views/index.ts";
import { readSeriesForward } from "../read/index.ts";

export type Verdict = "ok" | "below" | "above" | "beyond" | "unknown";

/**
 * A value that a person has given for a register, against the readings before and after it: below the one before,
 * beyond the one after, or grown far more than expected. `expected`: growth since the one before; null: not known, then
 * it is what a meter with so many digits can count at full load. A leap to the reading after it is no fault of the value.
 */
export function verdictOf(of: {
  readonly value: number | null;
  readonly at: number;
  readonly told: Point | undefined;
  readonly later: Point | undefined;
  readonly expected: number | null;
  readonly range?: CounterRange;
}): Verdict {
  const { value, told, later, at, expected, range = withoutRollover } = of;
  if (value === null || (!told && !later)) return "unknown";
  const now = { ts: at, value };
  const grown = told ? growth(told, now, range) : 0;
  if (grown === null) return told && value >= told.value ? "above" : "below";
  if (later && value > later.value && growth(now, later, range) === null) return "beyond";
  if (!told) return "ok";
  const most = expected === null ? physicalGrowth(at - told.ts, range) : mostGrowth(expected);
  return grown > most ? "above" : "ok";
}

type EnteredCheck = ReplyOf<typeof readings.dirtyOne>["checks"][number];
type Readers = Readonly<{ db: Db; sets: FieldSets }>;

interface Entered {
  readonly device: DeviceMetadata;
  readonly ts: number;
  readonly values: Values;
  /** What stands at the same time, by type. */
  readonly standing: readonly Standing[];
}

type Standing = ReadonlyMap<FieldName, { readonly value: number; readonly status: number }>;

/** Trusted values that a meter or a person has said, of one type at one time. */
export async function standingAt(
  { db, sets }: Readers,
  { ts, ...of }: { readonly deviceId: DeviceId; readonly msgType: number; readonly ts: number },
): Promise<Standing> {
  const [row] = await readSeriesForward(db, sets, { ...of, from: ts, to: ts, limit: 1 });
  if (!row) return new Map();
  const v = trustedValues(row);
  return new Map(
    row.set.fields.flatMap((name, at) => {
      const value = v[at] ?? null;
      return value === null || !isSaid(row, name)
        ? []
        : [[name, { value, status: statusOfValue(row, name) }] as const];
    }),
  );
}

/** What a meter has said of that time, if it never said the value. */
function measuredBeside(standing: readonly Standing[], field: FieldName, value: number): number | null {
  const measured = standing.flatMap((row) => {
    const own = row.get(field);
    const isMeasured = own?.status === statuses.measured.id || own?.status === statuses.late.id;
    return own && isMeasured ? [own.value] : [];
  });
  return measured.includes(value) ? null : (measured[0] ?? null);
}

/**
 * Entered counters against the nearest trusted readings around them, whatever their age and type, and against what was
 * measured then.
 */
export async function checksOf(
  readers: Readers,
  { device, ts, values, standing }: Entered,
): Promise<EnteredCheck[]> {
  const names = fieldNames.filter(
    (name) => fields[name].kind === "counter" && (values[name] ?? null) !== null,
  );
  const of = { deviceId: device.id, names };
  const last = await newestBefore(readers, { ...of, before: ts });
  const next = await firstAfter(readers, { ...of, after: ts });
  return knowingLoads(readLoads(readers.db), (samplesOf) =>
    names.flatMap((field) => {
      const samplesAt = samplesOf(device.id, field);
      const range = counterRange(device, field, samplesAt);
      const [told, later, value] = [last.get(field), next.get(field), values[field] ?? null];
      if (value === null) return [];
      const expected = told ? expectedGrowth(told, ts, range) : null;
      const measured = measuredBeside(standing, field, value);
      return [checkOf({ field, value, ts, told, later, range, expected, measured })];
    }),
  );
}

function checkOf(of: {
  readonly field: FieldName;
  readonly value: number;
  readonly ts: number;
  readonly told: Point | undefined;
  readonly later: Point | undefined;
  readonly range: CounterRange;
  readonly expected: number | null;
  readonly measured: number | null;
}): EnteredCheck {
  const { field, value, ts, told, later, range, expected, measured } = of;
  return {
    field,
    given: value,
    ...(told ? { last_value: told.value, last_at: told.ts } : { last_value: null, last_at: null }),
    ...(later ? { next_value: later.value, next_at: later.ts } : { next_value: null, next_at: null }),
    difference: told ? difference(value, told.value) : null,
    expected,
    measured,
    verdict: measured === null ? verdictOf({ value, at: ts, told, later, expected, range }) : "differs",
  };
}

interface Registers {
  readonly deviceId: DeviceId;
  readonly names: readonly FieldName[];
}
type Points = ReadonlyMap<FieldName, Point>;

/** The nearest values before an instant that the meter or a person has said and that are trusted, of any age. */
export async function newestBefore(
  { db, sets }: Readers,
  { before, ...of }: Registers & { readonly before: number },
): Promise<Points> {
  const found = new Map<FieldName, Point>();
  for (const msgType of counterTypes)
    for (const [field, point] of await lastTrusted(db, sets, {
      ...of,
      msgType,
      before,
      from: 0,
      isFirm: true,
    }))
      if (point.ts > (found.get(field)?.ts ?? -Infinity)) found.set(field, point);
  return found;
}

/** The same after an instant. */
export async function firstAfter(
  { db, sets }: Readers,
  { after, ...of }: Registers & { readonly after: number },
): Promise<Points> {
  const found = new Map<FieldName, Point>();
  const span = { from: after + 1, to: forever };
  for (const msgType of counterTypes)
    for (const [field, point] of await firstTrusted(db, sets, { ...of, ...span, msgType, isFirm: true }))
      if (point.ts < (found.get(field)?.ts ?? Infinity)) found.set(field, point);
  return found;
}

import { modelById, type MeterModel } from "@metrum/catalogue";
import { statuses, tariffsOf, type DeviceId, type FieldName } from "@metrum/vocabulary";
import { difference, sum, type Db } from "#core";
import type { FieldSets, Values } from "../rows/index.ts";
import { readingAt, type OriginalReading } from "../views/index.ts";

const total: FieldName = "tariff0";
const tariffs = tariffsOf(total);
/** Rows of other types are derived of these. */
const readingsType = 1;
/** A display shows three decimals at most; each register is rounded on its own. */
const roundingOfOne = 0.001;

interface Entered {
  readonly deviceId: DeviceId;
  readonly modelId: number;
  readonly msgType: number;
  readonly ts: number;
  readonly values: Values;
}

type Readers = Readonly<{ db: Db; sets: FieldSets }>;

/**
 * The total of an electricity meter, kWh, whose tariffs were entered by hand: their sum in exact decimals, or the only
 * tariff. Undefined: the total was entered itself, a tariff that counts is missing, or the own total of the meter has
 * never been the sum of its tariffs.
 */
export async function enteredTotal(readers: Readers, entered: Entered): Promise<number | undefined> {
  const model = modelById(entered.modelId);
  if (model?.kind !== "meter" || model.resource !== "electricity") return undefined;
  const given = tariffs.filter((name) => isEntered(entered.values, name));
  if (isEntered(entered.values, total) || given.length === 0 || entered.msgType !== readingsType)
    return undefined;
  const whole = await sumAt(readers, entered, { model, given });
  return whole !== undefined && (await isOwnSum(readers, entered, whole)) ? whole : undefined;
}

const isEntered = (values: Values, name: FieldName): boolean => (values[name] ?? null) !== null;

/** The sum of the tariffs that were entered and those that stand at the same time; undefined: one is missing. */
async function sumAt(
  readers: Readers,
  entered: Entered,
  { model, given }: { readonly model: MeterModel; readonly given: readonly FieldName[] },
): Promise<number | undefined> {
  const { deviceId, ts } = entered;
  const parts: number[] = [];
  const unread: FieldName[] = [];
  for (const field of tariffs) {
    const last = await readingAt(readers, { deviceId, field, at: ts });
    const part = partOf(entered, { value: entered.values[field] ?? null, last });
    if (part !== null) parts.push(part);
    else if (last !== undefined && last.value !== 0) return undefined;
    else if (last === undefined && model.fields.includes(field)) unread.push(field);
  }
  // A tariff that the model has may count unless the meter has been read before, and always without it.
  if (unread.length > 0 && !(await wasRead(readers, { deviceId, ts, given }))) return undefined;
  return sum(parts);
}

/** A tariff after the reading is stored; a corrected value is not replaced by an entered one. Null: not known then. */
function partOf(
  { ts, msgType }: Entered,
  { value, last }: { readonly value: number | null; readonly last: OriginalReading | undefined },
): number | null {
  const stands = last?.ts === ts && last.msgType === msgType ? last : undefined;
  if (stands?.status === statuses.corrected.id) return stands.value;
  return value ?? stands?.value ?? null;
}

async function wasRead(
  readers: Readers,
  { deviceId, ts, given }: Pick<Entered, "deviceId" | "ts"> & { readonly given: readonly FieldName[] },
): Promise<boolean> {
  const earlier = await Promise.all(
    given.map((field) => readingAt(readers, { deviceId, field, at: ts - 1 })),
  );
  return earlier.every((reading) => reading !== undefined);
}

/** Whether the total that the meter told last is the sum of its tariffs then, or is unknown. */
async function isOwnSum(readers: Readers, { deviceId, ts }: Entered, whole: number): Promise<boolean> {
  const own = await readingAt(readers, { deviceId, field: total, at: ts });
  if (!own || own.isCalculated) return true;
  const parts = await Promise.all(
    tariffs.map((field) => readingAt(readers, { deviceId, field, at: own.ts })),
  );
  const known = parts.filter((part): part is OriginalReading => part?.ts === own.ts);
  // Without tariffs beside it, what can be told is that a total does not go back.
  if (known.length === 0) return whole >= own.value - roundingOfOne;
  const then = sum(known.map(({ value }) => value));
  return Math.abs(difference(then, own.value)) <= roundingOfOne * (known.length + 1);
}

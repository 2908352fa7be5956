import { fieldOf, type FieldName, type ResourceKey } from "@metrum/vocabulary";
import type { Conversation } from "../../core/conversation.ts";
import { ProtocolError } from "../../core/errors.ts";
import type { Session } from "../session/session.ts";
import type { AccessResult, CosemAttribute } from "../types.ts";
import { inUnitOf, unitRatio, type ScalerUnit } from "./units.ts";
import { isAbsent, isFailure, numberOf, scalerUnitOf, valueOf } from "./values.ts";

/** One value of a meter and its field. */
export interface RegisterRow {
  readonly obis: string;
  readonly field: FieldName;
  /** 1 data, 3 register (the default), 4 extended register, 5 demand register. */
  readonly classId?: 1 | 3 | 4 | 5;
  /** 2, the value (of a demand register the current average), unless the model overrides it. */
  readonly attribute?: number;
  /** For objects without attribute 3, or to save reading it. */
  readonly scale?: ScalerUnit;
}

/** Scalers and units read in this poll, by object. */
export type Scales = Map<string, ScalerUnit>;

export const attributeOf = (row: RegisterRow): CosemAttribute => ({
  classId: row.classId ?? 3,
  obis: row.obis,
  attribute: row.attribute ?? 2,
});

/** Attribute with scaler and unit: 4 of a demand register, else 3. Source: Blue Book 4.3.2 to 4.3.4. */
export const scaleAttribute = ({
  classId,
  obis,
}: Pick<CosemAttribute, "classId" | "obis">): CosemAttribute => ({
  classId,
  obis,
  attribute: classId === 5 ? 4 : 3,
});

type Values = Partial<Record<FieldName, number | null>>;

/**
 * Reads registers and returns their values in the units of the vocabulary.
 * Source: Blue Book 4.3. A value that the meter lacks is absent, one that is temporarily unavailable is null.
 * Lists are read in one request if the meter supports several references.
 * Errors: ProtocolError "refused" with the meter's code, "unexpected" when a unit does not fit its field,
 * "unsupported" when it has none of the registers.
 */
export function* readRegisters(
  session: Session,
  of: { rows: readonly RegisterRow[]; resource: ResourceKey; scales: Scales },
): Conversation<Values> {
  const results = yield* session.getAll(of.rows.map(attributeOf));
  const present = of.rows.flatMap((row, at) => {
    const result = results[at];
    return result === undefined || isAbsent(result) ? [] : [{ row, result }];
  });
  if (present.length === 0) throw new ProtocolError("unsupported", "the meter has none of the registers");
  yield* readScales(
    session,
    present
      .filter(({ row }) => row.scale === undefined && row.classId !== 1)
      .map(({ row }) => attributeOf(row)),
    of.scales,
  );
  return Object.fromEntries(present.map(({ row, result }) => [row.field, fieldValue(row, result, of)]));
}

function fieldValue(
  row: RegisterRow,
  result: AccessResult,
  { resource, scales }: { resource: ResourceKey; scales: Scales },
): number | null {
  if (isFailure(result)) return null;
  const raw = numberOf(valueOf(result, attributeOf(row)));
  const scale = row.scale ?? scales.get(row.obis) ?? plainNumber;
  const ratio = unitRatio(scale, fieldOf(row.field, resource).unit);
  if (ratio === undefined)
    throw new ProtocolError(
      "unexpected",
      `${row.obis} is in unit ${String(scale.unit)}, which ${row.field} is not`,
    );
  return raw === null ? null : inUnitOf(row.field, raw, ratio);
}

const plainNumber: ScalerUnit = { scaler: 0, unit: 255 };

/** Reads scaler and unit of objects not known yet. An object without them is a plain number. */
export function* readScales(
  session: Session,
  objects: readonly Pick<CosemAttribute, "classId" | "obis">[],
  scales: Scales,
): Conversation<void> {
  const unknown = objects.filter(({ obis }, at) => {
    const isFirst = objects.findIndex((each) => each.obis === obis) === at;
    return isFirst && !scales.has(obis);
  });
  if (unknown.length === 0) return;
  const results = yield* session.getAll(unknown.map(scaleAttribute));
  for (const [at, { obis }] of unknown.entries()) {
    const result = results[at];
    if (result?.kind === "data") scales.set(obis, scalerUnitOf(result.value));
  }
}

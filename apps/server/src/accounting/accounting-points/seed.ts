import type { AccountingPointId, DeviceId, FieldName } from "@metrum/vocabulary";
import type { Db } from "#core";
import { modelOf } from "#metering/models";
import {
  insertPoints,
  insertReplaced,
  insertTies,
  mainRegister,
  type By,
  type PointColumns,
  type RegisterValues,
} from "./records/index.ts";
import { insertTerms, type NewTerm } from "./terms/index.ts";

/** A device that measures a new point, with its main register. */
export interface NewTie {
  readonly deviceId: DeviceId;
  readonly modelId: number;
  readonly from: number;
  readonly to: number | null;
  readonly opening?: RegisterValues;
  readonly closing?: RegisterValues;
  readonly act?: string;
}

/** A point with its history. */
export interface NewPoint {
  readonly columns: PointColumns;
  readonly ties: readonly NewTie[];
  readonly terms: readonly (Omit<NewTerm, "pointId" | "to" | "reading" | "note"> & {
    readonly to?: number | null;
  })[];
}

/**
 * Adds points with their history, without limits and log; ids in the order given. A device after another one has
 * replaced it.
 */
export async function addPoints(
  db: Db,
  scope: By,
  points: readonly NewPoint[],
): Promise<AccountingPointId[]> {
  const ids = await insertPoints(
    db,
    scope,
    points.map(({ columns }) => columns),
  );
  for (const [at, pointId] of ids.entries()) {
    const { ties, terms } = points[at] ?? { ties: [], terms: [] };
    for (const [nth, tie] of ties.entries()) {
      const [id] = await insertTies(db, scope, [{ ...tieOf(tie), pointId }]);
      const old = ties[nth - 1];
      if (!old || id === undefined) continue;
      const { deviceId, from: at, act } = tie;
      await insertReplaced(db, scope, {
        ...{ pointId, at, deviceId, act },
        ...{ oldDeviceId: old.deviceId, pointDevice: id },
      });
    }
    await insertTerms(
      db,
      scope,
      terms.map((term) => ({ to: null, ...term, pointId, reading: {}, note: "" })),
    );
  }
  return ids;
}

function tieOf({ modelId, opening = {}, closing = {}, act = "", ...tie }: NewTie) {
  return { ...tie, field: registerOfModel(modelId), opening, closing, act, note: "" };
}

/** Whether a model has a register that a point can be measured by. */
export const hasRegister = (modelId: number): boolean => mainRegister(modelOf(modelId)) !== undefined;

export function registerOfModel(modelId: number): FieldName {
  const field = mainRegister(modelOf(modelId));
  if (field === undefined) throw new Error(`model ${String(modelId)} has no counter`);
  return field;
}

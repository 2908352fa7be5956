import type { AccountingPointId, DeviceId, FieldName } from "@metrum/vocabulary";
import type { Db } from "#core";
import { modelOf } from "#metering/models";
import { insertTie, type By } from "./deviceStore.ts";
import { insertEvent, type NewEvent } from "./eventStore.ts";
import { mainRegister } from "./registers.ts";
import { insertPoints, type PointColumns } from "./store.ts";
import type { RegisterValues } from "./tables.ts";
import { insertTerm, type NewTerm } from "./termStore.ts";

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
  readonly terms: readonly Omit<NewTerm, "pointId" | "to" | "reading" | "note">[];
  readonly events: readonly Omit<NewEvent, "pointId">[];
}

/** Adds points with their history, without limits and log; ids in the order given. */
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
    const { ties, terms, events } = points[at] ?? { ties: [], terms: [], events: [] };
    for (const tie of ties) await insertTie(db, scope, { ...tieOf(tie), pointId });
    for (const term of terms)
      await insertTerm(db, scope, { ...term, pointId, to: null, reading: {}, note: "" });
    for (const event of events) await insertEvent(db, scope, { ...event, pointId });
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

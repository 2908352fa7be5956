import { sources, statuses, type FieldName } from "@metrum/vocabulary";
import { worthOf, type FieldSet, type Row } from "./types.ts";

/** A row as it stands in the store, or as an earlier reading of the same batch has left it. */
export interface Standing {
  readonly meterAt: number | null;
  readonly receivedAt: number;
  readonly status: number;
  readonly source: number;
  readonly set: FieldSet;
  readonly v: readonly (number | null)[];
  readonly extra: string | null;
}

/**
 * repeated: nothing new. completed: fields were added, nothing was overwritten. replaced: the earlier row goes into the
 * history. refused: the standing row is worth more; `isKept` says whether the newcomer goes into the history.
 */
export type Verdict =
  | { readonly kind: "repeated" }
  | { readonly kind: "completed" | "replaced"; readonly values: ReadonlyMap<FieldName, number | null> }
  | { readonly kind: "refused"; readonly isKept: boolean };

/**
 * What a second reading of the same device, type and time does to the first. Equal values are absorbed, unless somebody
 * has decided a better status. Higher or equal worth takes the place of lower, never the reverse; fields that the
 * newcomer does not carry, or that its meter did not keep, stay.
 */
export function resolveConflict(standing: Standing, next: Row): Verdict {
  const before = valuesOf(standing);
  const union = new Map(before);
  let differs = false;
  let adds = false;
  next.set.fields.forEach((name, at) => {
    const value = next.v[at] ?? null;
    const old = before.get(name);
    if (value === null ? before.has(name) : old === value) return;
    union.set(name, value);
    if (old === undefined || old === null) adds = true;
    else differs = true;
  });
  const [worth, other] = [worthOf(standing), worthOf(next)];
  if (!differs && !adds)
    return lifts(standing, next) ? { kind: "replaced", values: union } : { kind: "repeated" };
  if (other < worth && differs) return { kind: "refused", isKept: next.source !== sources.calculated };
  return { kind: differs ? "replaced" : "completed", values: union };
}

/** An equal value of higher worth counts as measured from now on; but a mere retry never clears a suspicion. */
function lifts(standing: Standing, next: Row): boolean {
  if (worthOf(next) <= worthOf(standing)) return false;
  return next.isDecided || standing.status !== statuses.suspect.id;
}

export function valuesOf(row: Pick<Standing, "set" | "v">): Map<FieldName, number | null> {
  return new Map(row.set.fields.map((name, at) => [name, row.v[at] ?? null]));
}

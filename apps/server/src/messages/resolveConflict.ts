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
  const news = next.set.fields.flatMap((name, at): [FieldName, number | null][] => {
    const value = next.v[at] ?? null;
    return value === null
      ? before.has(name)
        ? []
        : [[name, null]]
      : before.get(name) === value
        ? []
        : [[name, value]];
  });
  const values = new Map([...before, ...news]);
  if (news.length === 0) return lifts(standing, next) ? { kind: "replaced", values } : { kind: "repeated" };
  const isLess = worthOf(next) < worthOf(standing);
  // What is calculated never stands in a row that was measured, not even beside its values.
  if (isLess && next.source === sources.calculated) return { kind: "refused", isKept: false };
  const overwrites = news.some(([name]) => typeof before.get(name) === "number");
  if (!overwrites) return { kind: "completed", values };
  if (worthOf(next) < worthOf(standing))
    return { kind: "refused", isKept: next.source !== sources.calculated };
  return { kind: "replaced", values };
}

/** An equal value of higher worth counts as measured from now on; but a mere retry never clears a suspicion. */
function lifts(standing: Standing, next: Row): boolean {
  if (worthOf(next) <= worthOf(standing)) return false;
  return next.isDecided || standing.status !== statuses.suspect.id;
}

export function valuesOf(row: Pick<Standing, "set" | "v">): Map<FieldName, number | null> {
  return new Map(row.set.fields.map((name, at) => [name, row.v[at] ?? null]));
}

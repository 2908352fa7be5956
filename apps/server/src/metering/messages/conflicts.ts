import { sources } from "@metrum/vocabulary";
import type pg from "pg";
import { inOrderOf, type FieldSets } from "./fieldSets.ts";
import { resolveConflict, type Standing } from "./resolveConflict.ts";
import { writeRevisions, type Revision } from "./revisionStore.ts";
import { compareKeys, rowKeyOf } from "./rowKey.ts";
import type { Stored } from "./standing.ts";
import { readBefore, suspected } from "./suspicion.ts";
import type { Ingested, Row } from "./types.ts";
import { replaceMessages } from "./messageStore.ts";

export type Outcome = keyof Ingested;

/** What the readings whose key was taken have done. */
export interface Settled {
  /** Rows as they stand now, in the order of the key. */
  readonly changed: readonly Row[];
  /** The same rows as they stood before. */
  readonly before: readonly Row[];
  readonly outcomes: ReadonlyMap<Row, Outcome>;
}

/** A row was changed or deleted after it was read: the batch is to be tried again. */
export class RowVanished extends Error {
  constructor() {
    super("a reading was changed while it was written again");
  }
}

/**
 * Holds readings against the rows that have their keys. Nothing is locked before it is written: where a row has another version by
 * then than the one that was read, RowVanished.
 */
export async function settleConflicts(
  client: pg.ClientBase,
  sets: FieldSets,
  given: {
    readonly rows: readonly Row[];
    readonly stored: ReadonlyMap<string, Stored>;
    readonly nowMs: number;
  },
): Promise<Settled> {
  const outcomes = new Map<Row, Outcome>();
  const standing = new Map<string, Standing>(given.stored);
  const earlier = await readBefore(client, sets, { rows: given.rows, standing });
  const last = new Map<string, Row>();
  const revisions: Revision[] = [];
  for (const row of given.rows) {
    const key = rowKeyOf(row);
    const before = standing.get(key);
    if (!before) throw new RowVanished();
    const [asGiven, own] = row.set.id === before.set.id ? [row, before] : await inOneSet(sets, row, before);
    let verdict = resolveConflict(own, asGiven);
    const next = verdict.kind === "repeated" ? asGiven : suspected(asGiven, own, earlier.get(key));
    if (next !== asGiven) verdict = resolveConflict(own, next);
    const { receivedAt, status, source } = next;
    if (verdict.refused) {
      const refused = { ...next, receivedAt, status, source, v: verdict.refused };
      revisions.push({ row: next, standing: refused, isRefused: true });
    }
    outcomes.set(row, verdict.kind === "completed" ? "replaced" : verdict.kind);
    if (verdict.kind === "repeated" || verdict.kind === "refused") continue;
    if (verdict.kind === "replaced" && !isRecalculated(own, next))
      revisions.push({ row: next, standing: own, isRefused: false });
    standing.set(key, verdict.row);
    last.set(key, { ...next, ...verdict.row });
  }
  const changed = [...last].flatMap(([key, row]) => {
    const before = given.stored.get(key);
    return before ? [{ row, before }] : [];
  });
  changed.sort((a, b) => compareKeys(a.row, b.row));
  if (!(await replaceMessages(client, changed))) throw new RowVanished();
  await writeRevisions(client, revisions, given.nowMs);
  return {
    changed: changed.map(({ row }) => row),
    before: changed.map(({ row, before }) => ({ ...row, ...before })),
    outcomes,
  };
}

/** Both in the order of a set that has the fields of both: nearly always they have one already. */
async function inOneSet(sets: FieldSets, row: Row, standing: Standing): Promise<readonly [Row, Standing]> {
  if (row.set.id === standing.set.id) return [row, standing];
  const set = await sets.union(row.set, standing.set, row.device.companyId);
  return [
    { ...row, set, v: inOrderOf(set, row.set, row.v) },
    { ...standing, set, v: inOrderOf(set, standing.set, standing.v) },
  ];
}

/** What is derived has no history of its own: it follows from the raw rows, which have one. */
function isRecalculated(before: Standing, next: Row): boolean {
  return before.source === sources.calculated && next.source === sources.calculated;
}

import { sources } from "@metrum/vocabulary";
import type pg from "pg";
import { inOrderOf, type FieldSets } from "./fieldSets.ts";
import { isPlainRepeat, resolveConflict, type Standing } from "./resolveConflict.ts";
import { writeRevisions, type Revision } from "./revisions.ts";
import { compareKeys, rowKeyOf } from "./rowKey.ts";
import { readStanding } from "./standing.ts";
import { readBefore, suspected } from "./suspicion.ts";
import type { Ingested, Row } from "./types.ts";
import { replaceMessages } from "./write.ts";

export type Outcome = keyof Ingested;

/** What the readings whose key was taken have done. */
export interface Settled {
  /** Rows as they stand now, with what stood there before the batch. */
  readonly changed: readonly { readonly row: Row; readonly before: Row }[];
  readonly outcomes: ReadonlyMap<Row, Outcome>;
}

/** A row was deleted between the two statements that look for it, as derived ones are: the batch is to be tried again. */
export class RowVanished extends Error {
  constructor() {
    super("a reading was deleted while it was written again");
  }
}

/** Holds readings against the rows that have their keys, which are locked until the end of the transaction. */
export async function settleConflicts(
  client: pg.ClientBase,
  sets: FieldSets,
  given: { readonly rows: readonly Row[]; readonly nowMs: number },
): Promise<Settled> {
  const outcomes = new Map<Row, Outcome>();
  // Nearly all are mere repeats: for those nothing is locked, which would be a write of its own.
  const rows = await withoutRepeats(client, sets, { rows: given.rows, outcomes });
  if (rows.length === 0) return { changed: [], outcomes };
  const standing = await readStanding(client, sets, { rows, isLocked: true });
  const earlier = await readBefore(client, sets, { rows, standing });
  const first = new Map(standing);
  const last = new Map<string, Row>();
  const revisions: Revision[] = [];
  for (const given of rows) {
    const key = rowKeyOf(given);
    const before = standing.get(key);
    if (!before) throw new RowVanished();
    const isAligned = given.set.id === before.set.id;
    const [row, own] = isAligned ? [given, before] : await inOneSet(sets, given, before);
    const next = suspected(row, own, earlier.get(key));
    const verdict = resolveConflict(own, next);
    const { receivedAt, status, source } = next;
    if (verdict.refused) {
      const refused = { ...next, receivedAt, status, source, v: verdict.refused };
      revisions.push({ row: next, standing: refused, isRefused: true });
    }
    outcomes.set(given, verdict.kind === "completed" ? "replaced" : verdict.kind);
    if (verdict.kind === "repeated" || verdict.kind === "refused") continue;
    if (verdict.kind === "replaced" && !isRecalculated(own, next))
      revisions.push({ row: next, standing: own, isRefused: false });
    standing.set(key, verdict.row);
    last.set(key, { ...next, ...verdict.row });
  }
  const changed = [...last].flatMap(([key, row]) => {
    const before = first.get(key);
    return before ? [{ row, before: { ...row, ...before } }] : [];
  });
  changed.sort((a, b) => compareKeys(a.row, b.row));
  if (changed.length > 0)
    await replaceMessages(
      client,
      changed.map(({ row }) => row),
    );
  await writeRevisions(client, revisions, given.nowMs);
  return { changed, outcomes };
}

/** Readings looked at first: where most of them are no repeats, the others are locked at once and read only once. */
const sample = 100;

async function withoutRepeats(
  client: pg.ClientBase,
  sets: FieldSets,
  { rows, outcomes }: { readonly rows: readonly Row[]; readonly outcomes: Map<Row, Outcome> },
): Promise<readonly Row[]> {
  const first = await newsOf(client, sets, { rows: rows.slice(0, sample), outcomes });
  if (rows.length <= sample) return first;
  if (first.length > sample / 2) return [...first, ...rows.slice(sample)];
  return [...first, ...(await newsOf(client, sets, { rows: rows.slice(sample), outcomes }))];
}

async function newsOf(
  client: pg.ClientBase,
  sets: FieldSets,
  { rows, outcomes }: { readonly rows: readonly Row[]; readonly outcomes: Map<Row, Outcome> },
): Promise<Row[]> {
  const seen = await readStanding(client, sets, { rows, isLocked: false });
  const others: Row[] = [];
  for (const row of rows) {
    const before = seen.get(rowKeyOf(row));
    if (before && (isPlainRepeat(before, row) || (await isRepeat(sets, row, before))))
      outcomes.set(row, "repeated");
    else others.push(row);
  }
  return others;
}

async function isRepeat(sets: FieldSets, row: Row, before: Standing): Promise<boolean> {
  const [next, standing] = await inOneSet(sets, row, before);
  return resolveConflict(standing, next).kind === "repeated";
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

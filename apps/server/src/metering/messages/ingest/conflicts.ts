import { sources } from "@metrum/vocabulary";
import type pg from "pg";
import {
  compareKeys,
  inOrderOf,
  isSecond,
  replaceMessages,
  resolveConflict,
  rowKeyOf,
  writeRevisions,
  type FieldSets,
  type Ingested,
  type Revision,
  type Row,
  type Standing,
  type Stored,
  type Taken,
} from "../rows/index.ts";
import {
  knowingLoads,
  readBefore,
  readLoads,
  suspected,
  type Before,
  type SamplesOf,
} from "../growth/index.ts";

export type Outcome = keyof Ingested;

/** The row stored under a key, and the readings of the batch for that key in order of arrival. */
export interface TakenKey {
  readonly stored: Stored;
  readonly readings: readonly Row[];
}

/** A row before and after a change. */
export interface Changed {
  readonly row: Row;
  readonly before: Stored;
}

/** Effect of the readings whose key was taken. */
export interface Settled {
  /** In the order of the key. */
  readonly changed: readonly Changed[];
  readonly outcomes: ReadonlyMap<Row, Outcome>;
}

/** A row was changed or deleted after it was read: the batch must be retried. */
export class RowVanished extends Error {
  constructor() {
    super("a reading was changed while it was written again");
  }
}

/**
 * `again` are readings of keys that occur earlier in the batch, and `late` are the rows stored under theirs.
 */
export function takenKeys(
  taken: readonly Taken[],
  duplicates: readonly Row[],
  late: readonly Taken[],
): readonly TakenKey[] {
  const keys = taken.map(({ row, stored }) => ({ stored, readings: [row] }));
  if (duplicates.length === 0) return keys;
  const storedLate = new Map(late.map(({ row, stored }) => [row, stored]));
  const byKey = new Map(taken.map(({ row }, at) => [rowKeyOf(row), keys[at]]));
  for (const row of duplicates) {
    const known = byKey.get(rowKeyOf(row));
    if (known) {
      known.readings.push(row);
      continue;
    }
    const stored = storedLate.get(row);
    if (!stored) throw new RowVanished();
    const key = { stored, readings: [row] };
    keys.push(key);
    byKey.set(rowKeyOf(row), key);
  }
  return keys;
}

/**
 * Resolves readings against the rows with their keys. Nothing is locked before it is written: if a row has
 * another version by then than the one read, RowVanished is thrown.
 */
export async function settleConflicts(
  client: pg.ClientBase,
  sets: FieldSets,
  { keys, nowMs }: { readonly keys: readonly TakenKey[]; readonly nowMs: number },
): Promise<Settled> {
  const earlier = await readBefore(client, sets, keys);
  const { outcomes, revisions, changed } = await knowingLoads(readLoads(client), (samplesOf) =>
    resolved(sets, keys, { earlier, samplesOf }),
  );
  changed.sort((a, b) => compareKeys(a.row, b.row));
  if (!(await replaceMessages(client, changed))) throw new RowVanished();
  await writeRevisions(client, revisions, nowMs);
  return { changed, outcomes };
}

interface Resolved {
  readonly outcomes: Map<Row, Outcome>;
  readonly revisions: Revision[];
  readonly changed: Changed[];
}

interface Earlier {
  readonly earlier: ReadonlyMap<TakenKey, Before>;
  readonly samplesOf: SamplesOf;
}

async function resolved(
  sets: FieldSets,
  keys: readonly TakenKey[],
  { earlier, samplesOf }: Earlier,
): Promise<Resolved> {
  const outcomes = new Map<Row, Outcome>();
  const revisions: Revision[] = [];
  const changed: Changed[] = [];
  for (const key of keys) {
    let standing: Standing = key.stored;
    let last: Row | undefined;
    for (const reading of key.readings) {
      let row = reading;
      if (row.set.id !== standing.set.id) [row, standing] = await inOneSet(sets, row, standing);
      const { outcome, after } = settle(row, standing, { before: earlier.get(key), samplesOf, revisions });
      outcomes.set(reading, outcome);
      if (after) standing = last = after;
    }
    if (last) changed.push({ row: last, before: key.stored });
  }
  return { outcomes, revisions, changed };
}

/** One reading against the row stored under its key; `after` is the row that replaces it. */
function settle(
  row: Row,
  standing: Standing,
  { revisions, ...known }: Parameters<typeof suspected>[2] & { readonly revisions: Revision[] },
): { readonly outcome: Outcome; readonly after?: Row } {
  let verdict = resolveConflict(standing, row);
  const next = verdict.kind === "repeated" ? row : suspected(row, standing, known);
  if (next !== row) verdict = resolveConflict(standing, next);
  if (verdict.refused)
    revisions.push({
      row: next,
      standing: refusedOf(next, verdict.refused),
      isRefused: true,
      isSecond: isSecond(standing, next),
    });
  if (verdict.kind === "repeated" || verdict.kind === "refused") return { outcome: verdict.kind };
  if (verdict.kind === "replaced" && !isRecalculated(standing, next))
    revisions.push({ row: next, standing, isRefused: false });
  return { outcome: "replaced", after: withStanding(next, verdict.row) };
}

function refusedOf(row: Row, v: Standing["v"]): Standing {
  const { meterAt, receivedAt, status, source, set, by_field, extra } = row;
  return { meterAt, receivedAt, status, source, set, v, by_field, extra };
}

/** The row with the resulting values. One literal without a spread, as every replaced reading passes here. */
function withStanding(row: Row, standing: Standing): Row {
  if (standing === row) return row;
  return {
    device: row.device,
    msgType: row.msgType,
    ts: row.ts,
    meterAt: standing.meterAt,
    receivedAt: standing.receivedAt,
    status: standing.status,
    source: standing.source,
    set: standing.set,
    v: standing.v,
    by_field: standing.by_field,
    extra: standing.extra,
    isDecided: row.isDecided,
    isDecodedAgain: row.isDecodedAgain,
    isVerdict: row.isVerdict,
    userId: row.userId,
    reason: row.reason,
    at: row.at,
  };
}

/** Both in the order of a set with the fields of both: nearly always they already share one. */
async function inOneSet(sets: FieldSets, row: Row, standing: Standing): Promise<readonly [Row, Standing]> {
  const set = await sets.union(row.set, standing.set, row.device.companyId);
  return [
    { ...row, set, v: inOrderOf(set, row.set, row.v) },
    { ...standing, set, v: inOrderOf(set, standing.set, standing.v) },
  ];
}

/** Derived rows have no separate history: they follow from the raw rows, which have one. */
function isRecalculated(before: Standing, next: Row): boolean {
  return before.source === sources.calculated && next.source === sources.calculated;
}

import { sources, type FieldName } from "@metrum/vocabulary";
import type pg from "pg";
import { int2Array, int4Array, int8Array } from "./arrays.ts";
import type { FieldSets } from "./fieldSets.ts";
import { compareKeys } from "./prepare.ts";
import { resolveConflict, valuesOf, type Standing } from "./resolveConflict.ts";
import { parseValues } from "./values.ts";
import type { FieldSet, Ingested, Row } from "./types.ts";
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

interface Revision {
  readonly row: Row;
  readonly standing: Standing;
  readonly isRefused: boolean;
}

type KnownValues = ReadonlyMap<FieldName, number | null>;

const keyOf = (row: Row): string => `${String(row.device.id)} ${String(row.msgType)} ${String(row.ts)}`;

/** Holds readings against the rows that have their keys, which are locked until the end of the transaction. */
export async function settleConflicts(
  client: pg.ClientBase,
  sets: FieldSets,
  given: { readonly rows: readonly Row[]; readonly nowMs: number },
): Promise<Settled> {
  // Nearly all are mere repeats: for those nothing is locked, which would be a write of its own.
  const seen = await readStanding(client, sets, { rows: given.rows, isLocked: false });
  const outcomes = new Map<Row, Outcome>();
  const rows = given.rows.filter((row) => {
    const before = seen.get(keyOf(row));
    const isRepeat = before !== undefined && resolveConflict(before, row).kind === "repeated";
    if (isRepeat) outcomes.set(row, "repeated");
    return !isRepeat;
  });
  if (rows.length === 0) return { changed: [], outcomes };
  const standing = await readStanding(client, sets, { rows, isLocked: true });
  const first = new Map(standing);
  const last = new Map<string, Row>();
  const revisions: Revision[] = [];
  for (const row of rows) {
    const key = keyOf(row);
    const before = standing.get(key);
    if (!before) throw new RowVanished();
    const verdict = resolveConflict(before, row);
    if (verdict.kind === "repeated" || verdict.kind === "refused") {
      outcomes.set(row, verdict.kind);
      if (verdict.kind === "refused" && verdict.isKept)
        revisions.push({ row, standing: row, isRefused: true });
      continue;
    }
    outcomes.set(row, "replaced");
    const isOverwritten = verdict.kind === "replaced" && !isRecalculated(before, row);
    if (isOverwritten) revisions.push({ row, standing: before, isRefused: false });
    const now = await united(sets, row, verdict.kind === "completed" ? before : row, verdict.values);
    standing.set(key, now);
    last.set(key, now);
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

/** What is derived has no history of its own: it follows from the raw rows, which have one. */
function isRecalculated(before: Standing, next: Row): boolean {
  return before.source === sources.calculated && next.source === sources.calculated;
}

/** The row with all fields that are known of it; status, source and stamps of `from`. */
async function united(
  sets: FieldSets,
  row: Row,
  from: Standing,
  values: KnownValues,
): Promise<Row & { daySet: FieldSet }> {
  const { set, daySet } = await setsOf(sets, values);
  return {
    ...row,
    meterAt: from.meterAt,
    receivedAt: from.receivedAt,
    status: from.status,
    source: from.source,
    extra: row.extra ?? from.extra,
    set,
    daySet,
    v: set.fields.map((name) => values.get(name) ?? null),
  };
}

async function setsOf(sets: FieldSets, values: KnownValues): Promise<{ set: FieldSet; daySet: FieldSet }> {
  const keys = [
    [...values.keys()],
    [...values.keys()].filter((name) => typeof values.get(name) === "number"),
  ];
  const [key, dayKey] = keys.map((names) => names.join(","));
  await sets.learn([key ?? "", dayKey ?? ""]);
  const [set, daySet] = [sets.known(key ?? ""), sets.known(dayKey ?? "")];
  if (!set || !daySet) throw new Error("a field set that was just learnt is not known");
  return { set, daySet };
}

interface MessageRow {
  device_id: number;
  msg_type: number;
  ts: number;
  real: number | null;
  received: number;
  field_set_id: number;
  status: number;
  source: number;
  v: string;
  extra: string | null;
}

/** One row a key, by the primary key; the partition follows from the time of each key. */
async function readStanding(
  client: pg.ClientBase,
  sets: FieldSets,
  given: { readonly rows: readonly Row[]; readonly isLocked: boolean },
): Promise<Map<string, Standing & { daySet: FieldSet }>> {
  const rows = [...given.rows].sort(compareKeys);
  const answer = await client.query<MessageRow>({
    name: `messages-standing-${given.isLocked ? "locked" : "seen"}`,
    text: `select m.* from unnest($1::int4[], $2::int2[], $3::int8[]) as k(device_id, msg_type, ts)
      cross join lateral (
        select device_id, msg_type, ts, real_ts_offset as real, received_at_offset as received, field_set_id, status, source, v::text as v, extra::text as extra
        from message where device_id = k.device_id and msg_type = k.msg_type and ts = k.ts ${given.isLocked ? "for update" : ""}
      ) m`,
    values: [
      int4Array(rows.map((row) => row.device.id)),
      int2Array(rows.map((row) => row.msgType)),
      int8Array(rows.map((row) => row.ts)),
    ],
  });
  await sets.load(answer.rows.map((row) => row.field_set_id));
  const found = new Map<string, Standing & { daySet: FieldSet }>();
  for (const row of answer.rows) {
    const set = sets.byId(row.field_set_id);
    if (!set) continue;
    const v = parseValues(row.v);
    const daySet = v.includes(null) ? (await setsOf(sets, valuesOf({ set, v }))).daySet : set;
    found.set(`${String(row.device_id)} ${String(row.msg_type)} ${String(row.ts)}`, {
      meterAt: row.real === null ? null : row.ts + row.real,
      receivedAt: row.ts + row.received,
      status: row.status,
      source: row.source,
      set,
      daySet,
      v,
      extra: row.extra,
    });
  }
  return found;
}

/** A newcomer that was refused is kept once, however often it is offered. */
async function writeRevisions(
  client: pg.ClientBase,
  revisions: readonly Revision[],
  nowMs: number,
): Promise<void> {
  for (const [at, { row, standing, isRefused }] of revisions.entries())
    await client.query({
      name: "messages-revision",
      text: `insert into message_revision (device_id, msg_type, ts, replaced_at, field_set_id, status, source, v, extra, is_refused, replaced_by, reason)
        select $1::int4, $2::int2, $3::int8, $4::int8, $5::int2, $6::int2, $7::int2, $8::float8[], $9::jsonb, $10::bool, $11::int4, $12::text
        where not $10::bool or not exists (
          select from message_revision where device_id = $1::int4 and msg_type = $2::int2 and ts = $3::int8
            and is_refused and field_set_id = $5::int2 and v = $8::float8[])
        on conflict do nothing`,
      values: [
        row.device.id,
        row.msgType,
        row.ts,
        nowMs + at,
        standing.set.id,
        standing.status,
        standing.source,
        standing.v,
        standing.extra,
        isRefused,
        row.userId,
        row.reason ?? (isRefused ? "worth less" : "different value"),
      ],
    });
}

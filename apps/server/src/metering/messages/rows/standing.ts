import { sources, statuses } from "@metrum/vocabulary";
import type pg from "pg";
import { int2Array, int4Array, int8Array } from "./arrays.ts";
import type { FieldSets } from "./fieldSets.ts";
import { flatten, sliceOf } from "./flatten.ts";
import type { Standing } from "./resolveConflict.ts";
import { calculatedIsLessBy, worthOf, type ByField } from "./trust.ts";
import type { Row } from "./types.ts";
import { parseValues } from "./values.ts";

/** A row as read from the store. */
export interface Stored extends Standing {
  /** The transaction that wrote it: changes with every change of the row. */
  readonly version: number;
}

/** A row and the one stored under its key. */
export interface Taken {
  readonly row: Row;
  readonly stored: Stored;
}

/** Lookup result of some rows; each row is in one of the three. */
export interface Found {
  readonly free: readonly Row[];
  /** Repeats of stored rows. */
  readonly repeated: readonly Row[];
  readonly taken: readonly Taken[];
}

interface FoundRow {
  n: number;
  ts: number | null;
  real: number | null;
  received: number;
  field_set_id: number;
  status: number;
  source: number;
  v: string;
  by_field: ByField | null;
  extra: string | null;
  version: number;
}

/** More than the rank of any value. */
const neverRepeated = 2 ** 15 - 1;
const ranks = Object.values(statuses).toSorted((a, b) => a.id - b.id);
const worth = `case m.status ${ranks.map(({ id, rank }) => `when ${String(id)} then ${String(rank)}`).join(" ")} end
  - case when m.source = ${String(sources.calculated)} then ${String(calculatedIsLessBy)} else 0 end`;

/**
 * Looks up the rows stored under these keys, which are sorted: one per key, by the primary key; the partition
 * follows from the time. Mere repeats are filtered by the database, so a repeated batch costs only the
 * lookup. Nothing is locked: a later write checks the version that was read.
 */
export async function findStored(
  client: pg.ClientBase,
  sets: FieldSets,
  { rows, withRepeats = false }: { readonly rows: readonly Row[]; readonly withRepeats?: boolean },
): Promise<Found> {
  if (rows.length === 0) return { free: [], repeated: [], taken: [] };
  const v = flatten(rows.map((row) => row.v));
  const { rows: others } = await client.query<FoundRow>({
    name: "messages-stored",
    text: `select k.n::int4 as n, m.ts, m.real, m.received, m.field_set_id, m.status, m.source, m.v::text as v, m.by_field,
        m.extra::text as extra, m.version
      from unnest($1::int4[], $2::int2[], $3::int8[], $4::int4[], $5::int2[], $7::int4[], $8::int4[], $9::bool[])
        with ordinality as k(device_id, msg_type, ts, set, worth, a, b, holes, n)
      left join lateral (
        select ts, real_ts_offset as real, received_at_offset as received, field_set_id, status, source, v, by_field, extra,
          xmin::text::int8 as version
        from message where device_id = k.device_id and msg_type = k.msg_type and ts = k.ts
      ) m on true
      where m.ts is null or m.field_set_id <> k.set or m.by_field is not null or ${worth} < k.worth
        or m.v is distinct from ${sliceOf(6, "k")}`,
    values: [
      int4Array(rows.map((row) => row.device.id)),
      int2Array(rows.map((row) => row.msgType)),
      int8Array(rows.map((row) => row.ts)),
      int4Array(rows.map((row) => row.set.id)),
      int2Array(
        rows.map((row) =>
          withRepeats || row.isVerdict || row.by_field !== null ? neverRepeated : worthOf(row),
        ),
      ),
      v.values,
      v.from,
      v.to,
      v.hasHoles,
    ],
  });
  await sets.load(others.map((row) => row.field_set_id));
  const free: Row[] = [];
  const taken: Taken[] = [];
  const isAnswered = new Uint8Array(rows.length);
  for (const other of others) {
    const row = rows[other.n - 1];
    if (!row) continue;
    isAnswered[other.n - 1] = 1;
    const set = sets.byId(other.field_set_id);
    if (other.ts !== null && set) taken.push({ row, stored: storedOf(other, other.ts, set) });
    else free.push(row);
  }
  const repeated = rows.filter((_, n) => isAnswered[n] === 0);
  return { free, repeated, taken };
}

function storedOf(row: FoundRow, ts: number, set: Standing["set"]): Stored {
  return {
    meterAt: row.real === null ? null : ts + row.real,
    receivedAt: ts + row.received,
    status: row.status,
    source: row.source,
    set,
    v: parseValues(row.v),
    by_field: row.by_field,
    extra: row.extra,
    // A transaction id is an unsigned number of 32 bits; its parameter is a signed one.
    version: row.version | 0,
  };
}

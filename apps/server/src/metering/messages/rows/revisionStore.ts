import { sources } from "@metrum/vocabulary";
import type pg from "pg";
import { isUniqueViolation, storableText } from "#core";
import { boolArray, int2Array, int4Array, int8Array, textArray } from "./arrays.ts";
import { copyFrom } from "./copy.ts";
import {
  binaryParts,
  bool,
  floats,
  floatsBytes,
  int2,
  int4,
  int8,
  json,
  nothing,
  text,
  textBytes,
  type Sized,
} from "./copyBinary.ts";
import { flatten, sliceOf } from "./flatten.ts";
import type { Standing } from "./resolveConflict.ts";
import { compareKeys } from "./rowKey.ts";
import type { Row } from "./types.ts";

/** A row before it was replaced, or a newcomer that was not accepted. */
export interface Revision {
  /** Author and reason of the newcomer. */
  readonly row: Row;
  readonly standing: Standing;
  readonly isRefused: boolean;
  /** Refused because a value of the same rank counts before it. */
  readonly isSecond?: boolean;
}

/** A revision with its number within its key and millisecond. */
interface Numbered {
  readonly revision: Revision;
  readonly number: number;
}

/** A refused newcomer is kept once in this time, however often it is repeated. */
const sameRefusalMs = 31 * 86_400_000;

/**
 * Stores revisions in one round trip. Each has its own number within its key and millisecond, so that none is
 * lost however many there are at one instant: numbers used by an earlier transaction in this millisecond are
 * continued.
 */
export async function writeRevisions(
  client: pg.ClientBase,
  revisions: readonly Revision[],
  nowMs: number,
): Promise<void> {
  const numbered = numberedOf(await withoutKept(client, revisions, nowMs));
  if (numbered.length === 0) return;
  try {
    await copyFrom(client, `savepoint numbered; ${revisionCopy}`, revisionData(numbered, nowMs));
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    await client.query("rollback to savepoint numbered");
    await insertAfterOthers(client, numbered, nowMs);
  }
}

function numberedOf(revisions: readonly Revision[]): Numbered[] {
  let last: Numbered | undefined;
  return revisions.map((revision) => {
    const isSameKey = last !== undefined && compareKeys(last.revision.row, revision.row) === 0;
    return (last = { revision, number: isSameKey && last ? last.number + 1 : 1 });
  });
}

/**
 * The refused ones that are not stored yet. Index: primary key of message_revision, the partitions of the
 * last month.
 */
async function withoutKept(
  client: pg.ClientBase,
  revisions: readonly Revision[],
  nowMs: number,
): Promise<readonly Revision[]> {
  const refused = revisions.filter(({ isRefused }) => isRefused);
  if (refused.length === 0) return revisions;
  const v = flatten(refused.map(({ standing }) => standing.v));
  const { rows } = await client.query<{ n: number }>({
    name: "messages-refused",
    text: `select k.n::int as n from unnest($1::int4[], $2::int2[], $3::int8[], $4::int4[], $6::int4[], $7::int4[], $8::bool[])
        with ordinality as k(device_id, msg_type, ts, set, a, b, holes, n)
      cross join lateral (
        select from message_revision r where r.device_id = k.device_id and r.msg_type = k.msg_type and r.ts = k.ts
          and r.replaced_at > $9::int8 and r.is_refused and r.field_set_id = k.set
          and r.v = ${sliceOf(5, "k")}
        limit 1
      ) kept`,
    values: [
      ...keyValues(refused),
      int4Array(refused.map(({ standing }) => standing.set.id)),
      v.values,
      v.from,
      v.to,
      v.hasHoles,
      nowMs - sameRefusalMs,
    ],
  });
  const kept = new Set(rows.map(({ n }) => refused[n - 1]));
  return revisions.filter((revision) => !kept.has(revision));
}

const keyValues = (revisions: readonly Revision[]): Buffer[] => [
  int4Array(revisions.map(({ row }) => row.device.id)),
  int2Array(revisions.map(({ row }) => row.msgType)),
  int8Array(revisions.map(({ row }) => row.ts)),
];

const revisionColumns =
  "device_id, msg_type, ts, replaced_at, revision, field_set_id, status, source, received_at, v, by_field, extra, is_refused, replaced_by, reason";
const revisionCopy = `copy message_revision (${revisionColumns}) from stdin (format binary)`;
const columnCount = 15;
/** Lengths of the numeric and boolean columns with their length prefixes. */
const fixedBytes = 8 + 6 + 12 + 12 + 8 + 8 + 6 + 6 + 12 + 5 + 8;

/** Revisions in the binary form of COPY, some at a time. */
const revisionData = (numbered: readonly Numbered[], nowMs: number): Iterable<Buffer> =>
  binaryParts(numbered, columnCount, (part) => sized(part, nowMs));

function sized(numbered: readonly Numbered[], nowMs: number): Sized<Numbered> {
  // Origins of single values are rare.
  const byField = new Map<Revision, string | null>();
  let bytes = 0;
  for (const { revision } of numbered) {
    const { standing } = revision;
    bytes += fixedBytes + floatsBytes(standing.v) + textBytes(standing.extra) + 2;
    bytes += textBytes(reasonOf(revision)) + textBytes(null);
    if (standing.by_field === null) continue;
    const written = byFieldOf(revision);
    byField.set(revision, written);
    bytes += textBytes(written);
  }
  return {
    bytes,
    write(out, { revision, number }, start) {
      const { row, standing, isRefused } = revision;
      let at = int4(out, start, row.device.id);
      at = int2(out, at, row.msgType);
      at = int8(out, at, row.ts);
      at = int8(out, at, nowMs);
      at = int4(out, at, number);
      at = int4(out, at, standing.set.id);
      at = int2(out, at, standing.status);
      at = int2(out, at, standing.source);
      at = int8(out, at, standing.receivedAt);
      at = floats(out, at, standing.v);
      at = json(out, at, standing.by_field === null ? null : (byField.get(revision) ?? null));
      at = json(out, at, standing.extra);
      at = bool(out, at, isRefused);
      at = row.userId === null ? nothing(out, at) : int4(out, at, row.userId);
      return text(out, at, reasonOf(revision));
    },
  };
}

/** The numbers in use in this millisecond. */
const usedNumber = `(select coalesce(max(r.revision), 0) from message_revision r
  where r.device_id = t.device_id and r.msg_type = t.msg_type and r.ts = t.ts and r.replaced_at = $16::int8)`;

/** If the first attempt met a number in use: continues from there. */
async function insertAfterOthers(
  client: pg.ClientBase,
  numbered: readonly Numbered[],
  nowMs: number,
): Promise<void> {
  const revisions = numbered.map(({ revision }) => revision);
  const v = flatten(revisions.map(({ standing }) => standing.v));
  await client.query({
    name: "messages-revisions-after",
    text: `insert into message_revision (${revisionColumns})
      select device_id, msg_type, ts, $16::int8, number + ${usedNumber}, set, status, source, received_at,
        ${sliceOf(7)},
        by_field::jsonb, extra::jsonb, is_refused, replaced_by, reason
      from unnest($1::int4[], $2::int2[], $3::int8[], $4::int4[], $5::int2[], $6::int2[], $8::int4[], $9::int4[], $10::bool[],
          $11::text[], $12::bool[], $13::int4[], $14::text[], $15::text[], $17::int8[], $18::int4[])
        as t(device_id, msg_type, ts, set, status, source, a, b, holes,
          extra, is_refused, replaced_by, reason, by_field, received_at, number)`,
    values: [
      ...keyValues(revisions),
      int4Array(revisions.map(({ standing }) => standing.set.id)),
      int2Array(revisions.map(({ standing }) => standing.status)),
      int2Array(revisions.map(({ standing }) => standing.source)),
      v.values,
      v.from,
      v.to,
      v.hasHoles,
      textArray(revisions.map(({ standing }) => standing.extra)),
      boolArray(revisions.map(({ isRefused }) => isRefused)),
      int4Array(revisions.map(({ row }) => row.userId)),
      textArray(revisions.map(reasonOf)),
      textArray(revisions.map(byFieldOf)),
      nowMs,
      int8Array(revisions.map(({ standing }) => standing.receivedAt)),
      int4Array(numbered.map(({ number }) => number)),
    ],
  });
}

const byFieldOf = ({ standing }: Revision): string | null =>
  standing.by_field ? JSON.stringify(standing.by_field) : null;

function reasonOf({ row, isRefused, isSecond = false }: Revision): string {
  if (row.reason !== null) return storableText(row.reason);
  if (isSecond) return "another source counts";
  return isRefused ? "worth less" : "different value";
}

/** A calculated row as stored. */
export interface CalculatedRow {
  readonly msg_type: number;
  readonly ts: number;
  readonly status: number;
  readonly field_set_id: number;
  readonly v: string;
}

/**
 * Stores calculated rows of one device as revisions before they are deleted, and locks them until then. Only
 * rows that are still calculated, and none when the range of the device was marked again. Returns the stored
 * ones.
 */
export async function keepCalculated(
  client: pg.ClientBase,
  of: {
    readonly deviceId: number;
    readonly keys: readonly { readonly msgType: number; readonly ts: number }[];
    /** Nothing is moved once this mark has changed. */
    readonly mark: { readonly kind: number; readonly deviceId: number; readonly marks: number };
    readonly nowMs: number;
    readonly reason: string;
  },
): Promise<CalculatedRow[]> {
  const times = of.keys.map(({ ts }) => ts);
  const { rows } = await client.query<CalculatedRow>(
    `with gone as (
        select m.* from message m
        join unnest($2::int2[], $3::int8[]) as k(msg_type, ts) on m.msg_type = k.msg_type and m.ts = k.ts
        where m.device_id = $1::int4 and m.ts >= $4::int8 and m.ts <= $5::int8 and m.source = ${String(sources.calculated)}
          and exists (select from reading_due where kind = $9::int2 and device_id = $10::int4 and marks = $6::int4)
        for update of m
      ), kept as (
        insert into message_revision (device_id, msg_type, ts, replaced_at, revision, field_set_id, status, source, received_at, v, by_field, extra, reason)
        select device_id, msg_type, ts, $7::int8,
          (select coalesce(max(revision), 0) + 1 from message_revision r where r.device_id = gone.device_id
            and r.msg_type = gone.msg_type and r.ts = gone.ts and r.replaced_at = $7::int8),
          field_set_id, status, source, ts + received_at_offset, v, by_field, extra, $8::text from gone
      )
      select msg_type, ts, status, field_set_id, v::text as v from gone`,
    [
      of.deviceId,
      int2Array(of.keys.map(({ msgType }) => msgType)),
      int8Array(times),
      Math.min(...times),
      Math.max(...times),
      of.mark.marks,
      of.nowMs,
      of.reason,
      of.mark.kind,
      of.mark.deviceId,
    ],
  );
  return rows;
}

import type { DeviceId } from "@metrum/vocabulary";
import { sql } from "kysely";
import type pg from "pg";
import { unwaited, visibleDevices, type Db, type DeviceScope } from "#core";
import { int2Array, int4Array, int8Array } from "../rows/index.ts";
import { forever, type DependantKind, type DueKind } from "./kinds.ts";
import { mostAttempts, type Due, type DueQueue, type Leasing } from "./queue.ts";

/** A range of a device to be recomputed by one kind, both ends inclusive. */
export interface Mark {
  readonly kind: DueKind;
  readonly deviceId: number;
  readonly from: number;
  readonly to: number;
  /** Not before this time, so that more readings are served by one computation. Default: at once. */
  readonly dueAt?: number;
}

/** A range of a device on whose readings a kind depends; without an end, for good. */
export interface DependantSpan {
  readonly deviceId: DeviceId;
  readonly from: number;
  readonly to?: number | undefined;
}

/**
 * Marks ranges, at most one of a device and kind, in the transaction of their cause. A mark is never
 * postponed by a later one.
 */
export async function markDue(client: pg.ClientBase, given: readonly Mark[]): Promise<void> {
  if (given.length === 0) return;
  const marks = [...given].sort((a, b) => a.kind - b.kind || a.deviceId - b.deviceId);
  await client.query({
    name: "messages-due",
    text: `insert into reading_due as d (kind, device_id, from_ts, to_ts, due_at)
      select * from unnest($1::int2[], $2::int4[], $3::int8[], $4::int8[], $5::int8[])
      on conflict (kind, device_id) do update set from_ts = least(d.from_ts, excluded.from_ts),
        to_ts = greatest(d.to_ts, excluded.to_ts), due_at = least(d.due_at, excluded.due_at), marks = d.marks + 1,
        leased_until = 0, attempts = 0, error = null`,
    values: [
      int2Array(marks.map(({ kind }) => kind)),
      int4Array(marks.map(({ deviceId }) => deviceId)),
      int8Array(marks.map(({ from }) => from)),
      int8Array(marks.map(({ to }) => to)),
      int8Array(marks.map(({ dueAt }) => dueAt ?? 0)),
    ],
  });
}

/**
 * Kinds that depend on devices now, as bits by device, not as cached. Rows: a few a device, by the primary key of
 * device_dependent.
 */
export async function currentDependants(
  client: pg.ClientBase,
  deviceIds: ReadonlySet<number>,
): Promise<ReadonlyMap<number, number>> {
  if (deviceIds.size === 0) return new Map();
  const { rows } = await client.query<{ device_id: number; kinds: number }>({
    name: "messages-dependants",
    text: `select device_id, bit_or(1 << kind) as kinds from device_dependent
      where device_id = any($1::int4[]) group by device_id`,
    values: [int4Array([...deviceIds])],
  });
  return new Map(rows.map(({ device_id, kinds }) => [device_id, kinds]));
}

/** Seconds until no process has an older list of dependent kinds cached: twice the age of the metadata cache. */
const knownSec = 60;

/**
 * Marks ranges of devices in the transaction of the caller, to be computed at once. `isAgain`: and once more when
 * every process knows that the kind depends on the device.
 */
async function mark(
  db: Db,
  kind: DependantKind,
  { spans, isAgain }: { readonly spans: readonly DependantSpan[]; readonly isAgain: boolean },
): Promise<void> {
  const again = isAgain
    ? sql`extract(epoch from clock_timestamp())::int8 + ${sql.lit(knownSec)}`
    : sql`0::int8`;
  await sql`
    insert into reading_due as d (kind, device_id, from_ts, to_ts, again_at, again_from)
      select ${kind}::int2, device_id, min(from_ts), max(to_ts), ${again}, min(from_ts) from unnest(
        ${spans.map(({ deviceId }) => deviceId)}::int4[], ${spans.map(({ from }) => from)}::int8[],
        ${spans.map(({ to }) => to ?? forever)}::int8[]) as k(device_id, from_ts, to_ts)
      group by device_id order by device_id
      on conflict (kind, device_id) do update set from_ts = least(d.from_ts, excluded.from_ts),
        to_ts = greatest(d.to_ts, excluded.to_ts), due_at = 0, again_at = greatest(d.again_at, excluded.again_at),
        again_from = case when excluded.again_at = 0 then d.again_from when d.again_at = 0 then excluded.again_from
          else least(d.again_from, excluded.again_from) end, marks = d.marks + 1, leased_until = 0, attempts = 0, error = null`.execute(
    db,
  );
}

/**
 * Has these ranges of devices recomputed by a kind, for another reason than changed readings. In the
 * transaction of the cause.
 */
export async function markDependants(
  db: Db,
  kind: DependantKind,
  spans: readonly DependantSpan[],
): Promise<void> {
  if (spans.length > 0) await mark(db, kind, { spans, isAgain: false });
}

/**
 * From this transaction on, ingest marks changed readings of these devices for a kind. Other processes may store
 * readings without a mark for half a minute, because they cache what depends on a device; so the whole range of
 * interest is marked too, and computed at once and again after a minute. `isAgain`: false for a kind that looks back
 * over a month at the next reading anyway.
 */
export async function dependOn(
  db: Db,
  kind: DependantKind,
  spans: readonly DependantSpan[],
  { isAgain = true }: { readonly isAgain?: boolean } = {},
): Promise<void> {
  if (spans.length === 0) return;
  // An update locks the row, so that a concurrent `stopDepending` does not delete it.
  await sql`
    insert into device_dependent (device_id, kind)
      select distinct id, ${kind}::int2 from unnest(${spans.map(({ deviceId }) => deviceId)}::int4[]) as k(id) order by id
      on conflict (device_id, kind) do update set kind = excluded.kind`.execute(db);
  await mark(db, kind, { spans, isAgain });
}

/** Changed readings of these devices are no longer marked for a kind; a mark that is there stays. */
export async function stopDepending(
  db: Db,
  kind: DependantKind,
  deviceIds: readonly DeviceId[],
): Promise<void> {
  await sql`delete from device_dependent where device_id = any(${[...deviceIds]}::int4[]) and kind = ${kind}::int2`.execute(
    db,
  );
}

/** Kinds that depend on the readings of a device. Index: primary key of device_dependent. */
export async function dependantsOf(client: pg.ClientBase, deviceId: DeviceId): Promise<DependantKind[]> {
  const { rows } = await client.query<{ kind: DependantKind }>(
    "select kind from device_dependent where device_id = $1::int4 order by kind",
    [deviceId],
  );
  return rows.map(({ kind }) => kind);
}

/** Share of a turn that stays for marks that have waited, however many are due at once. */
const calmShare = 1 / 4;

/** The marks of one kind. */
export function readingQueue(pool: pg.Pool, kind: DueKind): DueQueue {
  return {
    async lease(how) {
      const urgent = await leaseUrgent(pool, kind, how);
      const left = Math.max(how.atOnce - urgent.length, Math.ceil(how.atOnce * calmShare));
      return { urgent, calm: await leaseCalm(pool, kind, { ...how, atOnce: left }) };
    },
    forget: (due, leasedAt) => forgetDue(pool, kind, { due, leasedAt }),
    giveBack: (due, fromTs) => giveBack(pool, kind, { due, fromTs: fromTs ?? due.from_ts }),
    countFailure: (due, error) => countFailure(pool, kind, { due, error }),
  };
}

const lease = (name: string, condition: string, order: string) => ({
  name,
  text: `update reading_due d set leased_until = $2::int8 + $4::int8
    from (
      select device_id from reading_due where kind = $1::int2 and leased_until <= $2::int8 and attempts < $5::int4
        and ${condition}
      order by ${order} limit $6::int4 for update skip locked
    ) k
    where d.kind = $1::int2 and d.device_id = k.device_id
    returning d.device_id as id, d.from_ts, d.to_ts, d.marks`,
});
const urgentLease = lease("messages-due-urgent", "device_id > $3::int4 and due_at = 0", "due_at, device_id");
const calmLease = lease(
  "messages-due-calm",
  "device_id > $3::int4 and due_at > 0 and due_at <= $2::int8",
  "due_at, device_id",
);

/** The statements, exported for the test of their plans. */
export const leases = [urgentLease, calmLease];

/** Some devices after an id, in order, whose marks do not wait. Index: reading_due_by_time. */
async function leaseUrgent(pool: pg.Pool, kind: DueKind, how: Leasing): Promise<Due[]> {
  const { now, after, leaseSec, mostAttempts, atOnce } = how;
  const values = [kind, now, after, leaseSec, mostAttempts, atOnce];
  return (await pool.query<Due>({ ...urgentLease, values })).rows;
}

/** The devices that have waited longest for more readings. Index: reading_due_by_time. */
async function leaseCalm(pool: pg.Pool, kind: DueKind, how: Leasing): Promise<Due[]> {
  const { now, leaseSec, mostAttempts, atOnce } = how;
  const values = [kind, now, 0, leaseSec, mostAttempts, atOnce];
  return (await pool.query<Due>({ ...calmLease, values })).rows;
}

interface Leased {
  readonly due: Due;
  readonly leasedAt: number;
}

/** A range is done, unless it was marked again meanwhile, or is due once more at a later time. */
async function forgetDue(pool: pg.Pool, kind: DueKind, { due, leasedAt }: Leased): Promise<void> {
  const { rowCount } = await pool.query({
    name: "messages-due-done",
    text: `delete from reading_due using ${unwaited}
      where kind = $1::int2 and device_id = $2::int4 and marks = $3::int4 and again_at <= $4::int8`,
    values: [kind, due.id, due.marks, leasedAt],
  });
  if (rowCount === 0)
    await pool.query(
      `update reading_due set from_ts = again_from, due_at = again_at, leased_until = 0
        where kind = $1::int2 and device_id = $2::int4 and marks = $3::int4`,
      [kind, due.id, due.marks],
    );
}

/** For the next turn, with the rest of the range; if it was marked again meanwhile, with the whole of it. */
async function giveBack(
  pool: pg.Pool,
  kind: DueKind,
  { due, fromTs }: { readonly due: Due; readonly fromTs: number },
): Promise<void> {
  await pool.query(
    `update reading_due set from_ts = $4::int8, leased_until = 0
      where kind = $1::int2 and device_id = $2::int4 and marks = $3::int4`,
    [kind, due.id, due.marks, fromTs],
  );
}

/** Counts a failure, unless the device was marked again meanwhile; returns the number of failures. */
async function countFailure(
  pool: pg.Pool,
  kind: DueKind,
  { due, error }: { readonly due: Due; readonly error: unknown },
): Promise<number> {
  const { rows } = await pool.query<{ attempts: number }>(
    `update reading_due set attempts = attempts + 1, error = $4::text
      where kind = $1::int2 and device_id = $2::int4 and marks = $3::int4 returning attempts`,
    [kind, due.id, due.marks, error instanceof Error ? error.message : String(error)],
  );
  return rows[0]?.attempts ?? 0;
}

/** After the clock was set back: marks and leases of a time that is still to come are so much earlier. */
export async function pullDueNear(pool: pg.Pool, now: number, bySec: number): Promise<void> {
  await pool.query(
    `update reading_due d set leased_until = case when leased_until > $1::int8 then leased_until - $2::int8 else leased_until end,
        due_at = case when due_at > $1::int8 then greatest($1::int8, due_at - $2::int8) else due_at end,
        again_at = case when again_at > $1::int8 then greatest($1::int8, again_at - $2::int8) else again_at end
      where (kind, device_id) in (
        select kind, device_id from reading_due where due_at > $1::int8 or leased_until > $1::int8 or again_at > $1::int8
        order by kind, device_id for update)`,
    [now, bySec],
  );
}

/** Ranges that wait, by kind. */
export interface DueProgress {
  readonly kind: number;
  readonly due: number;
  /** Not due yet: more readings are awaited, or they are looked at once more. */
  readonly later: number;
  /** Failed too often: skipped until they are marked again. */
  readonly parked: number;
  /** Seconds since the oldest that is due was marked or became due. */
  readonly oldest_sec: number | null;
}

/** Rows: the marks, some thousand. With a scope only those of devices visible to the session. */
export async function readingProgress(db: Db, scope?: DeviceScope): Promise<DueProgress[]> {
  const isVisible = scope
    ? sql`exists (select from device where device.id = q.device_id and ${visibleDevices(scope)})`
    : sql`true`;
  const { rows } = await sql<DueProgress>`
    select kind, ${dueColumns} from reading_due q where ${isVisible} group by kind order by kind`.execute(db);
  return rows;
}

const untried = sql`q.attempts < ${sql.lit(mostAttempts)}`;
/** Condition: the mark `q` is about to be computed. */
export const isDue = sql`${untried} and q.due_at <= extract(epoch from clock_timestamp())::int8`;

/** Counts of marks `q` as `DueProgress` without the kind. */
export const dueColumns = sql`count(*) filter (where ${isDue})::int as due,
  count(*) filter (where ${untried} and not (${isDue}))::int as later,
  count(*) filter (where q.attempts >= ${sql.lit(mostAttempts)})::int as parked,
  greatest(0, extract(epoch from clock_timestamp())::int8 - min(greatest(q.marked_at, q.due_at))
    filter (where ${isDue})) as oldest_sec`;

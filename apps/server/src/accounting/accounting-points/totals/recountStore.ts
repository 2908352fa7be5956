import type { AccountingPointId } from "@metrum/vocabulary";
import type pg from "pg";
import type { TimeSpan } from "#metering/messages";
import { dueKinds } from "#metering/messages";
import type { RecognisedEvent } from "../records/index.ts";

type Client = pg.ClientBase | pg.Pool;

/** Rows: all points, once a run. */
export async function countPoints(client: Client, companyId?: number): Promise<number> {
  const { rows } = await client.query<{ n: number }>(
    "select count(*)::int as n from accounting_point where $1::int4 is null or company_id = $1",
    [companyId ?? null],
  );
  return rows[0]?.n ?? 0;
}

/** Some hundred points by the primary key. */
export async function pointsAfter(
  client: Client,
  { after, companyId }: { readonly after: number; readonly companyId?: number | undefined },
): Promise<AccountingPointId[]> {
  const { rows } = await client.query<{ id: AccountingPointId }>(
    `select id from accounting_point where ($1::int4 is null or company_id = $1) and id > $2::int4
      order by id limit 200`,
    [companyId ?? null, after],
  );
  return rows.map(({ id }) => id);
}

/** The zone of a point; undefined if it was deleted. */
export async function zoneOfPoint(client: Client, id: AccountingPointId): Promise<string | undefined> {
  const { rows } = await client.query<{ timezone: string }>({
    name: "points-zone",
    text: "select timezone from accounting_point where id = $1::int4",
    values: [id],
  });
  return rows[0]?.timezone;
}

/** Spans in which days of a point wait to be computed; those that failed too often wait no longer. */
export async function waitingDays(client: Client, id: AccountingPointId): Promise<TimeSpan[]> {
  const { rows } = await client.query<TimeSpan>({
    name: "points-waiting",
    text: `select from_ts as "from", to_ts as "to" from point_due where point_id = $1::int4 and attempts < 3
      union all
      select q.from_ts, q.to_ts from reading_due q join point_device t on t.device_id = q.device_id
      where q.kind = ${String(dueKinds.points)}::int2 and t.point_id = $1::int4 and q.attempts < 3`,
    values: [id],
  });
  return rows;
}

export interface StoredEvent extends RecognisedEvent {
  readonly is_entered: boolean;
}

/** Resets and rollovers of a point. Rows: a few. Index: point_event_of_point. */
export async function storedEvents(
  client: Client,
  id: AccountingPointId,
  { from, to }: TimeSpan,
): Promise<StoredEvent[]> {
  const { rows } = await client.query<StoredEvent>({
    name: "points-events-stored",
    text: `select ts, kind, device_id, details, user_id is not null as is_entered from point_event
      where point_id = $1::int4 and ts >= $2::int8 and ts <= $3::int8 and kind in ('reset', 'rollover')`,
    values: [id, from, to],
  });
  return rows;
}

export interface WrongMonth {
  readonly month: string;
  readonly days: string | null;
  readonly packed: string | null;
}

/** Months of a point whose text is not that of its days. Rows: its days; primary keys of both tables. */
export async function wrongMonths(client: Client, id: AccountingPointId): Promise<WrongMonth[]> {
  const { rows } = await client.query<WrongMonth>({
    name: "points-wrong-months",
    text: `select k.month::text as month, m.days, packed_month($1::int4, k.month) as packed
      from (
        select distinct date_trunc('month', day)::date as month from point_day
          where point_id = $1::int4 and field = 'main'
        union select month from point_month where point_id = $1::int4
      ) k left join point_month m on m.point_id = $1::int4 and m.month = k.month
      where m.days is distinct from packed_month($1::int4, k.month) order by 1`,
    values: [id],
  });
  return rows;
}

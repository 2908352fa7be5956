import type { AccountingPointId, DeviceId } from "@metrum/vocabulary";
import { sql } from "kysely";
import { startOfDay, type Db } from "#core";

/** Share of the consumption of a point that is lost, in force over a span of days. */
export interface LossTerm {
  readonly point_id: AccountingPointId;
  readonly share: string;
  readonly from_ts: number;
  readonly to_ts: number | null;
}

/** Loss terms that touch a span of time. Rows: a few a point; index: the exclusion constraint of point_term. */
export async function lossTermsOf(
  db: Db,
  ids: readonly AccountingPointId[],
  span: { readonly from: number; readonly to: number },
): Promise<LossTerm[]> {
  const { rows } = await sql<LossTerm>`
    select point_id, number::text as share, from_ts, to_ts from point_term
    where point_id = any(${[...ids]}::int[]) and kind = 'loss' and from_ts < ${span.to}
      and coalesce(to_ts, ${span.to}) > ${span.from} order by from_ts`.execute(db);
  return rows;
}

/** The device that measures a point. */
export interface PointDevice {
  readonly id: DeviceId;
  /** Model and number. */
  readonly title: string;
}

/**
 * Devices that measured points last before a moment; points without one are not in the map. Rows: one a point; index:
 * point_device_of_point, primary key of device. The points must be visible to the session.
 */
export async function devicesOfPoints(
  db: Db,
  ids: readonly AccountingPointId[],
  until: number,
): Promise<Map<AccountingPointId, PointDevice>> {
  const { rows } = await sql<PointDevice & { readonly point_id: AccountingPointId }>`
    select p.id as point_id, d.id, d.model_title || ' №' || d."deviceID" as title
    from unnest(${[...new Set(ids)]}::int[]) as p(id)
    cross join lateral (select device_id from point_device where point_id = p.id and from_ts < ${until}
      order by from_ts desc limit 1) t
    join device d on d.id = t.device_id`.execute(db);
  return new Map(rows.map(({ point_id, ...device }) => [point_id, device]));
}

/** Days of a point of which something is missing, counted from the first of a request. */
export interface LackingDays {
  readonly point_id: AccountingPointId;
  readonly days: readonly number[];
}

/**
 * Of the days given by point, the number on which no device was tied to it at any time; points without such a day are
 * not in the map. Rows: one a day given; index: the exclusion constraint of point_device.
 */
export async function unmeteredDays(
  db: Db,
  lacking: readonly LackingDays[],
  { zone, first }: { readonly zone: string; readonly first: number },
): Promise<Map<AccountingPointId, number>> {
  const asked = lacking.flatMap(({ point_id, days }) => days.map((at) => ({ point_id, day: first + at })));
  if (asked.length === 0) return new Map();
  const { rows } = await sql<{ readonly point_id: AccountingPointId; readonly days: number }>`
    select a.point_id, count(*)::int as days
    from unnest(${asked.map(({ point_id }) => point_id)}::int[], ${asked.map(({ day }) => startOfDay(zone, day))}::int8[],
      ${asked.map(({ day }) => startOfDay(zone, day + 1))}::int8[]) as a(point_id, from_ts, to_ts)
    where not exists (select from point_device d where d.point_id = a.point_id and d.from_ts < a.to_ts
      and (d.to_ts is null or d.to_ts > a.from_ts))
    group by a.point_id`.execute(db);
  return new Map(rows.map(({ point_id, days }) => [point_id, days]));
}

import type { AccountingPointId, DeviceId } from "@metrum/vocabulary";
import { sql } from "kysely";
import type { Db } from "#core";

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

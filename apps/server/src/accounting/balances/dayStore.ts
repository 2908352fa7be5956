import type { AccountingPointId } from "@metrum/vocabulary";
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

/** What the balance shows of a point beside its consumption. */
export interface PointHead {
  readonly id: AccountingPointId;
  readonly name: string;
  readonly timezone: string;
  readonly resource_type_id: number;
  readonly device_id: number | null;
  readonly device: string | null;
}

/**
 * Names of points, with the device that measured each last in a span. Rows: one a point; index: primary key and the
 * exclusion constraint of point_device. The points must be visible to the session.
 */
export async function pointHeads(
  db: Db,
  ids: readonly AccountingPointId[],
  until: number,
): Promise<Map<AccountingPointId, PointHead>> {
  const { rows } = await sql<PointHead>`
    select p.id, p.name, p.timezone, p.resource_type_id, d.id as device_id,
      d.model_title || ' №' || d."deviceID" as device
    from accounting_point p
    left join lateral (select device_id from point_device where point_id = p.id and from_ts < ${until}
      order by from_ts desc limit 1) t on true
    left join device d on d.id = t.device_id
    where p.id = any(${[...ids]}::int[])`.execute(db);
  return new Map(rows.map((row) => [row.id, row]));
}

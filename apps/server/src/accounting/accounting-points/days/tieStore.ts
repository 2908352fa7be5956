import type { AccountingPointId, DeviceId, FieldName } from "@metrum/vocabulary";
import { sql, type RawBuilder } from "kysely";
import { decimal, type Db } from "#core";
import type { RegisterValues } from "../records/index.ts";
import { ratioSteps, type RatioStep, type RatioTerm } from "./ratios.ts";

/** Which register of which device measured a point; `to` exclusive, null: still. */
export interface Tie {
  readonly pointId: AccountingPointId;
  readonly deviceId: DeviceId;
  readonly field: FieldName;
  readonly from: number;
  readonly to: number | null;
  readonly opening: RegisterValues;
  readonly closing: RegisterValues;
}

export interface TimeSpan {
  readonly from: number;
  /** Exclusive. */
  readonly to: number;
}

/** Ties of points that overlap a span, by point and time. Index: that of the constraint on point_device. */
export async function tiesOf(
  db: Db,
  pointIds: readonly AccountingPointId[],
  { from, to }: TimeSpan,
): Promise<Tie[]> {
  const { rows } = await tiesQuery(pointIds, { from, to }).execute(db);
  return rows;
}

export function tiesQuery(pointIds: readonly AccountingPointId[], { from, to }: TimeSpan): RawBuilder<Tie> {
  return sql<Tie>`
    select point_id as "pointId", device_id as "deviceId", field, from_ts as "from", to_ts as "to", opening, closing
    from point_device
    where point_id = any(${[...pointIds]}::int4[]) and from_ts < ${to}::int8 and (to_ts is null or to_ts > ${from}::int8)
    order by point_id, from_ts`;
}

export interface TermRow {
  readonly point_id: AccountingPointId;
  readonly kind: RatioTerm["kind"];
  readonly from_ts: number;
  readonly to_ts: number | null;
  readonly factor: string;
  readonly reading: RegisterValues;
}

/**
 * Ratio of points over time, for `ratioAt`. Rows: the changes of a point in its life, some dozen, by the
 * constraints on point_term and point_device.
 */
export async function ratiosOf(
  db: Db,
  pointIds: readonly AccountingPointId[],
): Promise<ReadonlyMap<AccountingPointId, readonly RatioStep[]>> {
  const { rows } = await termsQuery(pointIds).execute(db);
  return stepsOfTerms(pointIds, rows);
}

export function termsQuery(pointIds: readonly AccountingPointId[]): RawBuilder<TermRow> {
  return sql<TermRow>`
    select t.point_id, t.kind, t.from_ts, t.to_ts, coalesce(t.number, f.ratio)::text as factor, t.reading
      from point_term t left join transformer f on f.id = t.transformer_id
      where t.point_id = any(${[...pointIds]}::int4[])
        and t.kind in ('ratio', 'current_transformer', 'voltage_transformer')
    union all
    select p.point_id, 'device', greatest(p.from_ts, r.from_ts), least(p.to_ts, r.to_ts), r.ratio::numeric::text, '{}'
      from point_device p cross join lateral (
        select from_ts, lead(from_ts) over (order by from_ts) as to_ts, ratio from device_ratio
        where device_id = p.device_id
      ) r
      where p.point_id = any(${[...pointIds]}::int4[]) and r.ratio <> 1
        and (p.to_ts is null or r.from_ts < p.to_ts) and (r.to_ts is null or r.to_ts > p.from_ts)`;
}

export function stepsOfTerms(
  pointIds: readonly AccountingPointId[],
  rows: readonly TermRow[],
): ReadonlyMap<AccountingPointId, readonly RatioStep[]> {
  const terms = new Map<AccountingPointId, RatioTerm[]>(pointIds.map((id) => [id, []]));
  for (const { point_id, kind, from_ts, to_ts, factor, reading } of rows)
    terms.get(point_id)?.push({ kind, from: from_ts, to: to_ts, factor: decimal(factor), reading });
  return new Map([...terms].map(([id, all]) => [id, ratioSteps(all)]));
}

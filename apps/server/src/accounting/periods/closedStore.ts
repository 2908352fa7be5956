import type { CompanyId } from "@metrum/vocabulary";
import { sql } from "kysely";
import type { Db } from "#core";
import type { PeriodId } from "./tables.ts";

/** A span of a point: `from` inclusive, `to` exclusive, null: without end; `zone` is that of the point. */
export interface PointSpan {
  readonly from: number;
  readonly to: number | null;
  readonly zone: string;
}

/** A closed period as a span of the zone that was asked for. */
export interface ClosedSpan {
  readonly period_id: PeriodId;
  readonly from_day: string;
  readonly to_day: string;
  readonly from: number;
  readonly to: number;
}

/** Closed periods that a span touches, in order. Index: exclusion constraint of settlement_period. */
export async function closedSpans(
  db: Db,
  companyId: CompanyId,
  { from, to, zone }: PointSpan,
): Promise<ClosedSpan[]> {
  const { rows } = await sql<ClosedSpan>`
    select * from (
      select id as period_id, from_day::text, to_day::text,
        extract(epoch from from_day::timestamp at time zone ${zone}::text)::float8 as "from",
        extract(epoch from (to_day + 1)::timestamp at time zone ${zone}::text)::float8 as "to"
      from settlement_period where company_id = ${companyId}::int and state = 'closed'
    ) closed
    where "to" > ${from}::float8 and (${to}::float8 is null or "from" < ${to}::float8)
    order by "from"`.execute(db);
  return rows;
}

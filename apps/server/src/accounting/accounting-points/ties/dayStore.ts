import type { AccountingPointId } from "@metrum/vocabulary";
import { sql } from "kysely";
import type { Db } from "#core";

export interface DailyAmount {
  readonly day: string;
  readonly amount: number | null;
  readonly is_new: boolean;
}

/** Days of the main register around a swap; the day of the swap itself belongs to neither side's sum as a new one. */
export async function dailyAmounts(
  db: Db,
  of: {
    readonly pointId: AccountingPointId;
    readonly zone: string;
    readonly from: number;
    readonly to: number;
    readonly swapAt: number;
  },
): Promise<DailyAmount[]> {
  const dayAt = (ts: number) => sql`(to_timestamp(${ts}) at time zone ${of.zone})::date`;
  const { rows } = await sql<DailyAmount>`
    select day::text as day, amount::float8 as amount, day > ${dayAt(of.swapAt)} as is_new from point_day
    where point_id = ${of.pointId}::int and field = 'main' and day >= ${dayAt(of.from)} and day <= ${dayAt(of.to)}
      and day <> ${dayAt(of.swapAt)}
    order by day`.execute(db);
  return rows;
}

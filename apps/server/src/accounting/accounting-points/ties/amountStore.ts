import type { AccountingPointId } from "@metrum/vocabulary";
import { sql } from "kysely";
import type { Db, Scope } from "#core";
import type { PointDeviceId } from "../records/index.ts";

export interface NewAmount {
  readonly pointId: AccountingPointId;
  readonly field: string;
  readonly from: number;
  readonly to: number;
  readonly amount: number;
  readonly method: string;
  readonly note: string;
  /** The replacement that it belongs to: removed with it. */
  readonly pointDeviceId: PointDeviceId | null;
}

/** Adds consumption that no meter has measured. */
export async function insertAmount(db: Db, scope: Scope, given: NewAmount): Promise<void> {
  await db
    .insertInto("point_amount")
    .values({
      point_id: given.pointId,
      company_id: scope.companyId,
      field: given.field,
      from_ts: given.from,
      to_ts: given.to,
      amount: given.amount,
      method: given.method,
      note: given.note,
      point_device_id: given.pointDeviceId,
      user_id: scope.userId,
    })
    .execute();
}

/** An amount that belongs to the time without a meter before an interval. */
export interface AmountBefore {
  readonly tieId: PointDeviceId;
  readonly from: number;
  readonly to: number;
  readonly amount: number;
  readonly method: string;
  readonly note: string;
}

/** Amounts before intervals of a locked point, at most one each. Index point_amount_of_point. */
export async function amountsBefore(
  db: Db,
  { pointId, tieIds }: { readonly pointId: AccountingPointId; readonly tieIds: readonly PointDeviceId[] },
): Promise<AmountBefore[]> {
  const { rows } = await sql<AmountBefore>`
    select point_device_id as "tieId", from_ts as "from", to_ts as "to", amount::float8 as amount, method, note
    from point_amount where point_id = ${pointId}::int and point_device_id = any(${[...tieIds]}::int[])
    order by from_ts`.execute(db);
  return rows;
}

/** Index point_amount_of_point. */
export async function deleteAmountsBefore(
  db: Db,
  { pointId, tieId }: { readonly pointId: AccountingPointId; readonly tieId: PointDeviceId },
): Promise<void> {
  await db
    .deleteFrom("point_amount")
    .where("point_id", "=", pointId)
    .where("point_device_id", "=", tieId)
    .execute();
}

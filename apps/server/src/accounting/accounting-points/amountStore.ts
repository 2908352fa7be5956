import type { AccountingPointId } from "@metrum/vocabulary";
import type { Db, Scope } from "#core";
import type { PointDeviceId } from "./deviceStore.ts";

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

import { validationBounds, type validation } from "@metrum/contract/accounting";
import type { ParsedOf } from "@metrum/contract/core";
import type { DeviceId } from "@metrum/vocabulary";
import { record, resolve, type Ctx } from "#core";
import { addStep } from "../run/index.ts";
import * as list from "./listStore.ts";
import { filterOf } from "./shown.ts";

/** Values of a meter to be requested again. */
export interface SlotsToAsk {
  readonly deviceId: DeviceId;
  readonly msgType: number;
  /** Epoch seconds, both inclusive. */
  readonly from: number;
  readonly to: number;
  /** IANA zone of the clock of the meter. */
  readonly zone: string;
}

/**
 * Requests exactly these values; returns the task, or undefined if the meter cannot answer. Wired by the
 * composition root: this wing does not know how devices are polled.
 */
export type AskSlots = (ctx: Ctx, slots: SlotsToAsk) => Promise<number | undefined>;

/** Requests that one call makes: each is a task of its own. */
const mostAsked = 100;

/** Requests the values of exceptions again. Problems: not_found, licence_expired, task_limit. */
export async function askAgain(
  ctx: Ctx,
  body: ParsedOf<typeof validation.ask>["body"],
  askSlots: AskSlots,
): Promise<{ asked: number; refused: number; task_ids: number[] }> {
  const { db, scope, clock } = ctx;
  const narrowed = await filterOf(ctx, body.filter ?? {});
  const ids = body.exception_ids
    ? await resolve(ctx, "exception", body.exception_ids)
    : (await list.openIds(db, scope, narrowed, validationBounds.decided)).ids;
  const rows = (await list.exceptionsById(db, scope, ids)).slice(0, mostAsked);
  const tasks = new Set<number>();
  let asked = 0;
  for (const row of rows) {
    const task = await askSlots(ctx, {
      deviceId: row.device_id,
      msgType: row.msg_type,
      from: row.from_ts,
      to: row.to_ts,
      zone: row.zone,
    });
    if (task === undefined) continue;
    tasks.add(task);
    asked += 1;
    const step = {
      exceptionId: row.id,
      companyId: row.company_id,
      at: clock.now(),
      userId: scope.userId,
    } as const;
    await addStep(db, { ...step, action: "ask" });
    await record(ctx, {
      action: "validation.ask",
      subject: `device ${String(row.device_id)}`,
      after: { exception: row.id, rule: row.kind, task, from: row.from_ts, to: row.to_ts },
    });
  }
  return { asked, refused: rows.length - asked, task_ids: [...tasks] };
}

import type { accountingPoints } from "@metrum/contract/accounting";
import type { ReplyOf } from "@metrum/contract/core";
import { resolveOne, type Ctx } from "#core";
import { dueKinds, readingProgress } from "#metering/messages";
import { daysLeft } from "./daysLeftStore.ts";
import { pointProgress } from "./pointDueStore.ts";

type Progress = ReplyOf<typeof accountingPoints.progress>;

/** What waits to be computed again, of devices and points that the session sees. */
async function marksOf({ db, scope }: Ctx): Promise<Progress["progress"]> {
  const found = new Map((await readingProgress(db, scope)).map(({ kind, ...row }) => [kind, row]));
  const readings = Object.entries(dueKinds).map(([work, kind]) => ({
    work: work as keyof typeof dueKinds,
    ...(found.get(kind) ?? { due: 0, later: 0, parked: 0, oldest_sec: null }),
  }));
  return [...readings, { work: "pointChanges" as const, ...(await pointProgress(db, scope)) }];
}

interface Asked {
  readonly accounting_point_id?: number | undefined;
  readonly object_id?: number | undefined;
}

/** The same with the days left of a point, of a branch or of all. Problem: not_found. */
export async function progressOf(ctx: Ctx, { accounting_point_id, object_id }: Asked): Promise<Progress> {
  const { db, scope, clock } = ctx;
  const point =
    accounting_point_id === undefined
      ? undefined
      : await resolveOne(ctx, "accountingPoint", accounting_point_id);
  const branch = object_id === undefined ? undefined : await resolveOne(ctx, "object", object_id);
  const left = await daysLeft(db, scope, { point, branch, now: clock.now() });
  return { progress: await marksOf(ctx), ...left };
}

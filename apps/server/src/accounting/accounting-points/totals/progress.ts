import type { accountingPoints, ReplyOf } from "@metrum/contract";
import type { Ctx } from "#core";
import { dueKinds, readingProgress } from "#metering/messages";
import { pointProgress } from "./pointDueStore.ts";

type Progress = ReplyOf<typeof accountingPoints.progress>["progress"];

/** What waits to be computed again, of devices and points that the session sees. */
export async function progressOf({ db, scope }: Pick<Ctx, "db" | "scope">): Promise<Progress> {
  const found = new Map((await readingProgress(db, scope)).map(({ kind, ...row }) => [kind, row]));
  const readings = Object.entries(dueKinds).map(([work, kind]) => ({
    work: work as keyof typeof dueKinds,
    ...(found.get(kind) ?? { due: 0, parked: 0, oldest_sec: null }),
  }));
  return [...readings, { work: "pointChanges" as const, ...(await pointProgress(db, scope)) }];
}

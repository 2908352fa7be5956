import type { PointWhy } from "@metrum/contract";
import { isFieldName, type DeviceId } from "@metrum/vocabulary";
import type { Ctx } from "#core";
import { earlierReadings } from "#metering/messages";
import { userNames } from "./historyStore.ts";
import type { WhyPart } from "./whyParts.ts";

const most = 100;

/** Earlier and refused versions of the readings that the parts rest on, newest first. */
export async function earlierValues(ctx: Ctx, parts: readonly WhyPart[]): Promise<PointWhy["earlier"]> {
  const found = [];
  for (const { device_id, field, start, end } of parts) {
    if (device_id === null || !isFieldName(field)) continue;
    for (const value of [start, end]) {
      if (value?.msg_type == null || value.revisions === 0) continue;
      const of = { deviceId: device_id as DeviceId, msgType: value.msg_type, ts: value.ts, field };
      found.push(...(await earlierReadings({ db: ctx.db, sets: ctx.parts.readingStore.sets }, of)));
    }
  }
  const names = await userNames(ctx.db, [
    ...new Set(found.flatMap(({ replaced_by }) => (replaced_by === null ? [] : [replaced_by]))),
  ]);
  return found
    .sort((a, b) => b.replaced_at - a.replaced_at)
    .slice(0, most)
    .map(({ replaced_at, value, reason, replaced_by }) => ({
      at: Math.floor(replaced_at / 1000),
      value,
      reason: reason ?? "",
      user: replaced_by === null ? null : (names.get(replaced_by) ?? null),
    }));
}

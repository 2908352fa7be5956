import type pg from "pg";
import type { DeviceMetadata, FieldSets } from "../rows/index.ts";
import { tsOfLatest } from "./latest.ts";
import { latestOfMessages } from "./latestOfMessages.ts";
import { lockLatest, readLatestOf, removeLatest, writeLatest } from "./latestStore.ts";

/**
 * When messages with a latest value are deleted, the value before it becomes the latest. Messages are read
 * backwards by the primary key until every field has a value; the first of them nearly always has all.
 */
export async function lowerLatest(
  client: pg.ClientBase,
  sets: FieldSets,
  given: { readonly device: DeviceMetadata; readonly msgType: number; readonly gone: ReadonlySet<number> },
): Promise<void> {
  const { device, msgType, gone } = given;
  await lockLatest(client, [given]);
  const standing = (await readLatestOf(client, sets, [given])).get(`${String(device.id)} ${String(msgType)}`);
  if (!standing) return;
  const wanted = new Set<string>(standing.set.fields.filter((_, at) => (standing.v[at] ?? null) !== null));
  if (!gone.has(standing.ts) && ![...wanted].some((name) => gone.has(tsOfLatest(standing, name)))) return;
  const { set } = standing;
  const latest = await latestOfMessages(client, sets, {
    ...{ deviceId: device.id, msgType, set, wanted },
    before: standing.ts + 1,
  });
  if (latest) await writeLatest(client, [{ device, msgType, latest }], "locked");
  else await removeLatest(client, device.id, msgType);
}

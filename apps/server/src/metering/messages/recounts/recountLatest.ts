import type { DeviceId } from "@metrum/vocabulary";
import type pg from "pg";
import type { Services } from "#core";
import { putReceipt } from "#metering/device-state";
import type { DeviceMetadata, FieldSet, FieldSets } from "../rows/index.ts";
import { countedBefore, latestOfMessages, lockLatest, removeLatest, writeLatest } from "../latest/index.ts";
import { lastReceipt, setsUsed } from "../read/index.ts";

/** Computes the latest values and the times of a device again from its messages, in the transaction of the caller. */
export async function recountLatest(services: Services, client: pg.ClientBase, id: DeviceId): Promise<void> {
  const { sets, metadata, latestCache } = services.parts.readingStore;
  const device = (await metadata.of([id])).get(id);
  if (!device) return;
  for (const [msgType, set] of await wideSets(client, sets, device)) {
    await lockLatest(client, [{ device, msgType }]);
    const latest = await latestOfMessages(client, sets, {
      ...{ deviceId: id, msgType, set, wanted: new Set(set.fields) },
      before: countedBefore(services.clock),
    });
    if (latest) await writeLatest(client, [{ device, msgType, latest }], "locked");
    else await removeLatest(client, id, msgType);
    latestCache.forget(id, msgType);
  }
  const received = await lastReceipt(client, { id, isVirtual: device.isVirtual ?? false });
  await putReceipt(client, { id, received, now: services.clock.now() });
}

/** By message type of a device, a set with all fields of its messages. */
async function wideSets(
  client: pg.ClientBase,
  sets: FieldSets,
  { id, companyId }: DeviceMetadata,
): Promise<Map<number, FieldSet>> {
  const used = await setsUsed(client, id);
  await sets.load(used.map((row) => row.field_set_id));
  const wide = new Map<number, FieldSet>();
  for (const { msg_type: msgType, field_set_id } of used) {
    const own = sets.byId(field_set_id);
    const known = wide.get(msgType);
    if (own) wide.set(msgType, known ? await sets.union(known, own, companyId) : own);
  }
  return wide;
}

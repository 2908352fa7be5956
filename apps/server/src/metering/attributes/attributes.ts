import { problem } from "@metrum/contract/core";
import { attributeBounds } from "@metrum/contract/metering";
import type { DeviceId } from "@metrum/vocabulary";
import { record, resolveOne, type Ctx } from "#core";
import * as store from "./store.ts";

interface Given {
  readonly device_id: number;
  readonly name: string;
  readonly value: string;
}

/** Problems: not_found, attribute_taken, attribute_limit. */
export async function addAttribute(ctx: Ctx, { device_id, name, value }: Given): Promise<void> {
  const id = await resolveOne(ctx, "device", device_id);
  const count = await store.countOf(ctx.db, id);
  if (count >= attributeBounds.perDevice)
    throw problem("attribute_limit", { params: { max: attributeBounds.perDevice } });
  const isAdded = await store.add(ctx.db, { company_id: ctx.scope.companyId, device_id: id, name, value });
  if (!isAdded) throw problem("attribute_taken", { attributes: { name: ["attribute_taken"] } });
  await note(ctx, id, { after: { [name]: value } });
}

/** Problem: not_found, of the device or of its attribute. */
export async function changeAttribute(ctx: Ctx, { device_id, name, value }: Given): Promise<void> {
  const id = await resolveOne(ctx, "device", device_id);
  const before = await store.valueOf(ctx.db, id, name);
  if (before === undefined) throw problem("not_found");
  if (before === value) return;
  await store.change(ctx.db, { device_id: id, name, value });
  await note(ctx, id, { before: { [name]: before }, after: { [name]: value } });
}

/** Problem: not_found, of the device or of its attribute. */
export async function removeAttribute(ctx: Ctx, { device_id, name }: Omit<Given, "value">): Promise<void> {
  const id = await resolveOne(ctx, "device", device_id);
  const before = await store.valueOf(ctx.db, id, name);
  if (before === undefined) throw problem("not_found");
  await store.remove(ctx.db, id, name);
  await note(ctx, id, { before: { [name]: before } });
}

async function note(
  ctx: Ctx,
  device: DeviceId,
  change: { readonly before?: object; readonly after?: object },
): Promise<void> {
  ctx.afterCommit(() => ctx.bus.publish("devicesChanged", { companyId: ctx.scope.companyId }));
  await record(ctx, { action: "device.attribute", subject: `device ${String(device)}`, ...change });
}

import { problem } from "@metrum/contract/core";
import { resolveOne, type Ctx } from "#core";
import { shownDevice, type ShownDevice } from "./store.ts";

/** The device with this id of the company. Problem: not_found. */
export async function deviceOf(ctx: Ctx, id: number): Promise<ShownDevice> {
  const device = await shownDevice(ctx.db, ctx.scope, await resolveOne(ctx, "device", id));
  if (!device) throw problem("not_found");
  return device;
}

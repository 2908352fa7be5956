import { problem } from "@metrum/contract/core";
import type { Ctx } from "#core";
import { seenDevice, type ShownDevice } from "./deviceStore.ts";

/** The device with this id that the session sees. Problem: not_found. */
export async function deviceOf({ db, scope }: Pick<Ctx, "db" | "scope">, id: number): Promise<ShownDevice> {
  const device = await seenDevice(db, scope, id);
  if (!device) throw problem("not_found");
  return device;
}

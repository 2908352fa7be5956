import type { DeviceId } from "@metrum/vocabulary";
import { forgetSome, rememberAlso, type Db } from "#core";

/** Where the installation remembers which devices are simulated: a licence does not count them. */
const key = "demo.devices";

export async function noteSimulated(system: Db, ids: readonly DeviceId[]): Promise<void> {
  await rememberAlso(system, key, ids);
}

export async function forgetSimulated(system: Db, ids: readonly DeviceId[]): Promise<void> {
  await forgetSome(system, key, ids);
}

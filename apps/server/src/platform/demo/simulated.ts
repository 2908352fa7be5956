import type { DeviceId } from "@metrum/vocabulary";
import { forgetSome, rememberAlso, type Db } from "#core";

/** Installation key that lists the simulated devices: a licence does not count them. */
const key = "demo.devices";

export async function noteSimulated(system: Db, ids: readonly DeviceId[]): Promise<void> {
  await rememberAlso(system, key, ids);
}

export async function forgetSimulated(system: Db, ids: readonly DeviceId[]): Promise<void> {
  await forgetSome(system, key, ids);
}

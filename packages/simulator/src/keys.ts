import { toHex } from "@metrum/protocols/core";
import type { PlannedDevice } from "./plans/plan.ts";
import { noise } from "./random.ts";

/** The key of a device that encrypts its telegrams. */
export const keyOf = (seed: number): string =>
  toHex(Uint8Array.from({ length: 16 }, (_, at) => Math.floor(noise(seed, at) * 256)));

const authenticationSeed = 0x0a;

/** The keys of a DLMS meter that is changed only by a client with keys. */
export const keyPair = (seed: number): Required<Pick<PlannedDevice, "key" | "authenticationKey">> => ({
  key: keyOf(seed),
  authenticationKey: keyOf(seed ^ authenticationSeed),
});

import type { Domain } from "#core";
import { serveAddresses } from "./calls.ts";

export { createAddressServices } from "./service.ts";

/** Suggestions while an address is typed, own ones and those of a configured service; coordinates and back. */
export const addresses: Domain = { name: "addresses", calls: serveAddresses };

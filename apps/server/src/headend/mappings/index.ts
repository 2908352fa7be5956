import type { Domain } from "#core";
import { serveMqttAccount } from "./account.ts";
import { serveMappings } from "./calls.ts";

export { createKnownMappings, mappingFor } from "./find.ts";
export { readMapped } from "./read.ts";

/** What a company says of the messages of its own MQTT publishers, and what they sign in with. */
export const mappings: Domain = {
  name: "mappings",
  calls(api) {
    serveMappings(api);
    serveMqttAccount(api);
  },
};

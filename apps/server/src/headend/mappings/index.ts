import type { Domain } from "#core";
import { serveMqttAccount } from "./account.ts";
import { serveMappings } from "./calls.ts";

export { createKnownMappings, mappingFor } from "./find.ts";
export { readMapped } from "./read.ts";

/** Mappings for messages of companies' own MQTT publishers, and their credentials. */
export const mappings: Domain = {
  name: "mappings",
  calls(api) {
    serveMappings(api);
    serveMqttAccount(api);
  },
};

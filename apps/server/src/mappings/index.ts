import type { Domain } from "#core";
import { serveMappings } from "./calls.ts";

export { mappingFor } from "./find.ts";
export { readMapped } from "./read.ts";

/** What a company says of the messages of its own MQTT publishers. */
export const mappings: Domain = { name: "mappings", calls: serveMappings };

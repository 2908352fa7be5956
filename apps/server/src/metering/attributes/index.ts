import type { Domain } from "#core";
import { serveAttributes } from "./calls.ts";

export { addAttributes, attributesOf } from "./store.ts";

/** Attributes of metering devices, named freely by each company. */
export const attributes: Domain = { name: "attributes", calls: serveAttributes };

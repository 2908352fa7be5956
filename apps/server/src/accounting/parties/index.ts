import type { Domain } from "#core";
import { serveParties } from "./calls.ts";

export { addParties, addTransformers } from "./seed.ts";
export { addConsumers, removeConsumers } from "./consumers.ts";
export { addSuppliers, removeSuppliers } from "./suppliers.ts";

/** Directories of accounting: consumers, suppliers and transformers. */
export const parties: Domain = { name: "parties", calls: serveParties };

import type { Domain } from "#core";
import { serveRetention } from "./calls.ts";
import { tendTables } from "./jobs.ts";

export { expiredBefore } from "./retention.ts";

export const retention: Domain = { name: "retention", calls: serveRetention, worker: tendTables };

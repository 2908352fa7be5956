import type { Domain } from "#core";
import { serveRetention } from "./calls.ts";
import { tending } from "./jobs.ts";

export { expiredBefore } from "./retention.ts";

export const retention: Domain = { name: "retention", calls: serveRetention, scheduled: [tending] };

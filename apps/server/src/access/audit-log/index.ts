import type { Domain } from "#core";
import { serveLog } from "./calls.ts";

export { readLogOf } from "./log.ts";

export const auditLog: Domain = { name: "audit-log", calls: serveLog };

import type { Domain } from "#core";
import { serveLog } from "./calls.ts";
import { sweepLog } from "./jobs.ts";

export const auditLog: Domain = { name: "audit-log", calls: serveLog, worker: sweepLog };

import { auditLog as calls } from "@metrum/contract/access";
import { serve, type Api } from "#core";
import { readLog } from "./log.ts";

export function serveLog(api: Api): void {
  serve(api, calls, { log: ({ body }, ctx) => readLog(ctx, body) });
}

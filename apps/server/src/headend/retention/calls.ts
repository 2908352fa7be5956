import { retention as calls } from "@metrum/contract/headend";
import { serve, withMessage, type Api } from "#core";
import { changeRetention, ownRetention } from "./retention.ts";

export function serveRetention(api: Api): void {
  serve(api, calls, {
    get: (_, ctx) => ownRetention(ctx),
    set: async ({ body }, ctx) => withMessage(await changeRetention(ctx, body), "saved"),
  });
}

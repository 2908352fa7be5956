import { decodeAgain } from "@metrum/contract/metering";
import { serve, type Api } from "#core";
import { redecode } from "./read/decodeAgain.ts";
import { servePush } from "./ways/http/calls.ts";

export function serveUplinks(api: Api): void {
  serve(api, decodeAgain, { run: ({ body }, ctx) => redecode(ctx, body) });
  servePush(api);
}

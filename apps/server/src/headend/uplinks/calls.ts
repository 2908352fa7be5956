import { decodeAgain } from "@metrum/contract";
import { serve, type Api } from "#core";
import { readAgain } from "./read/decodeAgain.ts";
import { servePush } from "./ways/http/calls.ts";

export function serveUplinks(api: Api): void {
  serve(api, decodeAgain, { run: ({ body }, ctx) => readAgain(ctx, body) });
  servePush(api);
}

import { decodeAgain } from "@metrum/contract";
import { serve, type Api } from "#core";
import { readAgain } from "./again.ts";
import { servePush } from "./pushCalls.ts";

export function serveUplinks(api: Api): void {
  serve(api, decodeAgain, { run: ({ body }, ctx) => readAgain(ctx, body) });
  servePush(api);
}

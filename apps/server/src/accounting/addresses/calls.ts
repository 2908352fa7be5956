import { addresses } from "@metrum/contract/accounting";
import { serve, type Api } from "#core";
import { geocode, registerHints, suggest } from "./addresses.ts";

export function serveAddresses(api: Api): void {
  serve(api, addresses, {
    dadata: ({ body }, ctx) => suggest(ctx, body.query),
    garHints: ({ body }, ctx) => registerHints(ctx, body.query),
    search: ({ body }, ctx) => geocode(ctx, body),
  });
}

import { completeness } from "@metrum/contract/insight";
import { serve, type Api } from "#core";
import { board, card, typesOfCall } from "./board.ts";
import { clocks } from "./clock.ts";
import { totals } from "./totals.ts";

export function serveCompleteness(api: Api): void {
  serve(api, completeness, {
    card: ({ body }, ctx) => card(ctx, body),
    indications: ({ body }, ctx) => board(ctx, body, typesOfCall.indications),
    power: ({ body }, ctx) => board(ctx, body, typesOfCall.power),
    archive: ({ body }, ctx) => board(ctx, body, typesOfCall.archive),
    totals: ({ body }, ctx) => totals(ctx, body),
    time: ({ body }, ctx) => clocks(ctx, body),
  });
}

import { push } from "@metrum/contract/metering";
import { serve, type Api } from "#core";
import { pusherOf } from "../networks/actility.ts";
import { pushMessage, pushReadings, pushSenml } from "./readings.ts";
import { readActilityPush, readChirpStackPush } from "./networkMessages.ts";
import { thingsPush } from "../networks/thingsWebhook.ts";

/** SenML has its own media type (RFC 8428, section 12.3). */
const senmlType = "application/senml+json";

export function servePush(api: Api): void {
  if (!api.fastify.hasContentTypeParser(senmlType))
    api.fastify.addContentTypeParser(
      senmlType,
      { parseAs: "string" },
      api.fastify.getDefaultJsonParser("error", "error"),
    );
  serve(api, push, {
    chirpstack: ({ query, body }, ctx) => pushMessage(ctx, body, readChirpStackPush(query.event)),
    things: ({ body }, ctx) => pushMessage(ctx, body, thingsPush(ctx, ctx.scope.companyId, body)),
    actility: async ({ query, body }, ctx) =>
      pushMessage(ctx, body, readActilityPush(await pusherOf(ctx, body, query))),
    readings: ({ body }, ctx) => pushReadings(ctx, body),
    senml: ({ body }, ctx) => pushSenml(ctx, body),
  });
}

import { messageGroups, readings } from "@metrum/contract";
import { serve, withMessage, type Api } from "#core";
import { allTypes, enterReading, fieldTitles, lastMessage, listMessages, typesOf } from "./readings.ts";

const profileType = 5;

/** What `msgGroup` of a request names: 0 archives, 1 all others. */
const groups = [
  { id: 0, title: "Архивы", title_en: "Archives" },
  { id: 1, title: "Показания и профили", title_en: "Readings and profiles" },
];

export function serveReadings(api: Api): void {
  // messages/last takes its message type from a form.
  if (!api.fastify.hasContentTypeParser(formType))
    api.fastify.addContentTypeParser(formType, { parseAs: "string" }, (_, body, done) => {
      done(null, Object.fromEntries(new URLSearchParams(String(body))));
    });
  serve(api, messageGroups, { list: () => ({ groups }) });
  serve(api, readings, {
    list: ({ body }, ctx) => listMessages(ctx, body),
    powerProfile: ({ body }, ctx) => listMessages(ctx, { ...body, msgType: profileType }),
    energyProfile: ({ body }, ctx) => listMessages(ctx, { ...body, msgType: profileType, is_energy: true }),
    last: ({ params, body }, ctx) => lastMessage(ctx, params.id, body.msgType),
    typesGet: () => ({ types: allTypes() }),
    types: async ({ body }, ctx) => ({ types: await typesOf(ctx, body) }),
    fieldTitles: (_, ctx) => ({ fields: fieldTitles(ctx.language) }),
    dirtyOne: async ({ body }, ctx) => {
      await enterReading(ctx, body);
      return withMessage({}, "saved");
    },
  });
}

const formType = "application/x-www-form-urlencoded";

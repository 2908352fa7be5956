import { messageGroups, quarantine, readings } from "@metrum/contract/metering";
import { serve, withFiles, withMessage, type Api } from "#core";
import { discardReadings, quarantineList, quarantineSummary, releaseReadings } from "./quarantine/index.ts";
import { enterReading, warningOf } from "./entered/index.ts";
import { allTypes, fieldTitles, lastMessage, listMessages, periodSummary, typesOf } from "./views/index.ts";

const profileType = 5;

/** `msgGroup` of a request: 0 archives, 1 all others. */
const groups = [
  { id: 0, title: "Архивы", title_en: "Archives" },
  { id: 1, title: "Показания и профили", title_en: "Readings and profiles" },
];

const { last, ...others } = readings;

export async function serveReadings(api: Api): Promise<void> {
  if (!api.fastify.hasContentTypeParser(formType))
    api.fastify.addContentTypeParser(formType, { parseAs: "string" }, (_, body, done) => {
      done(null, Object.fromEntries(new URLSearchParams(String(body))));
    });
  serve(api, messageGroups, { list: () => ({ groups }) });
  serve(api, quarantine, {
    list: ({ body }, ctx) => quarantineList(ctx, body),
    summary: ({ body }, ctx) => quarantineSummary(ctx, body.device_id),
    release: async ({ body }, ctx) => {
      const done = await releaseReadings(ctx, body);
      return withMessage(done, "readings_released", { count: done.released });
    },
    discard: async ({ body }, ctx) => {
      const done = await discardReadings(ctx, body);
      return withMessage(done, "readings_discarded", { count: done.discarded });
    },
  });
  serve(api, others, {
    list: ({ body }, ctx) => listMessages(ctx, body),
    summary: ({ body }, ctx) => periodSummary(ctx, body),
    powerProfile: ({ body }, ctx) => listMessages(ctx, { ...body, msgType: profileType }),
    energyProfile: ({ body }, ctx) => listMessages(ctx, { ...body, msgType: profileType, is_energy: true }),
    typesGet: () => ({ types: allTypes() }),
    types: async ({ body }, ctx) => ({ types: await typesOf(ctx, body) }),
    fieldTitles: (_, ctx) => ({ fields: fieldTitles(ctx.language) }),
    dirtyOne: async ({ body }, ctx) => {
      const entered = await enterReading(ctx, body);
      return withMessage(entered, ...warningOf(entered));
    },
  });
  // Browsers may send this form as multipart; it has no file.
  await withFiles(api, { fileBytes: 0, files: 1 }, (withParts) => {
    serve(withParts, { last }, { last: ({ params, body }, ctx) => lastMessage(ctx, params.id, body) });
  });
}

const formType = "application/x-www-form-urlencoded";

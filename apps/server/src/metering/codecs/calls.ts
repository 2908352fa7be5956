import { codecs } from "@metrum/contract/metering";
import { serve, withMessage, type Api } from "#core";
import { codecPage, removeCodec, saveCodec, switchCodec, testCodec } from "./codecs.ts";

export function serveCodecs(api: Api): void {
  serve(api, codecs, {
    list: async ({ body }, ctx) => ({ codecs: await codecPage(ctx, body) }),
    save: async ({ body }, ctx) => {
      const codec = await saveCodec(ctx, body);
      return withMessage({ codec }, "codec_saved", { version: codec.version });
    },
    switch: async ({ params, body }, ctx) => {
      const codec = await switchCodec(ctx, params.id, body.is_active);
      const code = codec.is_active ? "codec_switched_on" : "codec_switched_off";
      return withMessage({ codec }, code, { version: codec.version });
    },
    test: async ({ body }, ctx) => testCodec(ctx, body),
    delete: async ({ params }, ctx) => {
      const { version } = await removeCodec(ctx, params.id);
      return withMessage({}, "codec_deleted", { version });
    },
  });
}

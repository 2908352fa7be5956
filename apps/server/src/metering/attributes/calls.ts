import { attributes } from "@metrum/contract/metering";
import { resolveOne, serve, withMessage, type Api } from "#core";
import { addAttribute, changeAttribute, removeAttribute } from "./attributes.ts";
import * as store from "./store.ts";

export function serveAttributes(api: Api): void {
  serve(api, attributes, {
    catalogue: async (_, { db, scope }) => ({ attributes: await store.namesInUse(db, scope) }),
    ofDevice: async ({ body }, ctx) => {
      const id = await resolveOne(ctx, "device", body.device_id);
      return { attributes: (await store.attributesOf(ctx.db, [id])).get(id) ?? [] };
    },
    add: async ({ body }, ctx) => {
      await addAttribute(ctx, body);
      return withMessage({}, "saved");
    },
    update: async ({ body }, ctx) => {
      await changeAttribute(ctx, body);
      return withMessage({}, "saved");
    },
    delete: async ({ body }, ctx) => {
      await removeAttribute(ctx, body);
      return withMessage({}, "attribute_removed");
    },
    values: async ({ body }, { db, scope }) => ({
      values: await store.valuesInUse(db, scope, { name: body.name, text: body.search_string ?? "" }),
    }),
    ofModels: async (_, { db, scope }) => ({ attributes: await store.namesByModel(db, scope) }),
  });
}

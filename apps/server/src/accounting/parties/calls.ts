import { consumers, subjects, subjectTypes, suppliers } from "@metrum/contract/access";
import { transformers } from "@metrum/contract/accounting";
import { serve, withMessage, type Api } from "#core";
import { addConsumer, changeConsumer, consumerList, openConsumer, removeConsumers } from "./consumers.ts";
import { eraseConsumer, exportConsumer } from "./erasure.ts";
import { pointsPage } from "./pages.ts";
import { addSupplier, changeSupplier, openSupplier, removeSuppliers, supplierList } from "./suppliers.ts";
import {
  addTransformer,
  changeTransformer,
  openTransformer,
  removeTransformer,
  transformerList,
} from "./transformers.ts";

export function serveParties(api: Api): void {
  serve(api, subjects, {
    types: (_, { language }) => ({
      subject_types: subjectTypes.map(({ id, title }) => ({ id, title: title[language] })),
    }),
  });
  serve(api, consumers, {
    list: async ({ body }, ctx) => ({ consumers: await consumerList(ctx, body) }),
    get: async ({ params }, ctx) => ({ consumer: await openConsumer(ctx, params.id) }),
    points: ({ body: { consumer_id: id, ...asked } }, ctx) => pointsPage(ctx, "consumer", { ...asked, id }),
    create: async ({ body }, ctx) =>
      withMessage({ consumer: await addConsumer(ctx, body) }, "consumer_added"),
    update: async ({ body }, ctx) => withMessage({ consumer: await changeConsumer(ctx, body) }, "saved"),
    async delete({ params }, ctx) {
      await removeConsumers(ctx, [params.id]);
      return withMessage({}, "consumer_deleted");
    },
    export: async ({ body }, ctx) => ({ export: await exportConsumer(ctx, body.consumer_id) }),
    erase: async ({ body }, ctx) =>
      withMessage({ consumer: await eraseConsumer(ctx, body.consumer_id) }, "consumer_data_erased"),
  });
  serveSuppliers(api);
  serveTransformers(api);
}

function serveSuppliers(api: Api): void {
  serve(api, suppliers, {
    list: async ({ body }, ctx) => ({ suppliers: await supplierList(ctx, body) }),
    get: async ({ params }, ctx) => ({ supplier: await openSupplier(ctx, params.id) }),
    points: ({ body: { supplier_id: id, ...asked } }, ctx) => pointsPage(ctx, "supplier", { ...asked, id }),
    create: async ({ body }, ctx) =>
      withMessage({ supplier: await addSupplier(ctx, body) }, "supplier_added"),
    update: async ({ body }, ctx) => withMessage({ supplier: await changeSupplier(ctx, body) }, "saved"),
    async delete({ params }, ctx) {
      await removeSuppliers(ctx, [params.id]);
      return withMessage({}, "supplier_deleted");
    },
  });
}

function serveTransformers(api: Api): void {
  serve(api, transformers, {
    list: async ({ body }, ctx) => ({ transformers: await transformerList(ctx, body) }),
    get: async ({ params }, ctx) => ({ transformer: await openTransformer(ctx, params.id) }),
    points: ({ body: { transformer_id: id, ...asked } }, ctx) =>
      pointsPage(ctx, "transformer", { ...asked, id }),
    create: async ({ body }, ctx) =>
      withMessage({ transformer: await addTransformer(ctx, body) }, "transformer_added"),
    update: async ({ body }, ctx) =>
      withMessage({ transformer: await changeTransformer(ctx, body) }, "saved"),
    async delete({ params }, ctx) {
      await removeTransformer(ctx, params.id);
      return withMessage({}, "transformer_deleted");
    },
  });
}

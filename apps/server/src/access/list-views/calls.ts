import { listViews } from "@metrum/contract/core";
import { serve, withMessage, type Api } from "#core";
import { addView, changeView, removeView, viewsOfList } from "./listViews.ts";

export function serveListViews(api: Api): void {
  serve(api, listViews, {
    list: ({ body }, ctx) => viewsOfList(ctx, body.list),
    create: async ({ body }, ctx) => withMessage({ view: await addView(ctx, body) }, "view_saved"),
    update: async ({ body }, ctx) => withMessage({ view: await changeView(ctx, body) }, "view_saved"),
    delete: async ({ body }, ctx) => {
      await removeView(ctx, body.id);
      return withMessage({}, "view_removed");
    },
  });
}

import { lines } from "@metrum/contract/headend";
import { serve, withMessage, type Api } from "#core";
import { lineList, removeLine, saveLine } from "./lines.ts";
import { portList } from "./ports.ts";
import { testLine } from "./test.ts";

export function serveLines(api: Api): void {
  serve(api, lines, {
    list: ({ body }, ctx) => lineList(ctx, body),
    ports: (_, ctx) => portList(ctx),
    save: async ({ body }, ctx) => withMessage({ line: await saveLine(ctx, body) }, "line_saved"),
    remove: async ({ params }, ctx) => {
      await removeLine(ctx, params.id);
      return withMessage({}, "line_removed");
    },
    test: async ({ body }, ctx) => ({ test: await testLine(ctx, body) }),
  });
}

import { pointBounds, pointFiles, pointHistory } from "@metrum/contract/accounting";
import { serve, withFiles, withMessage, type Api } from "#core";
import { addEvent, removeEvent } from "./records/index.ts";
import { deleteFile, keepFile, openFile, pointFilesOf } from "./documents/index.ts";
import { historyOf, monthsTable, whyTotal } from "./why/index.ts";

const { add, ...others } = pointFiles;

export async function servePointHistory(api: Api): Promise<void> {
  serve(api, pointHistory, {
    history: ({ body }, ctx) => historyOf(ctx, body.accounting_point_id),
    addEvent: async ({ body }, ctx) => withMessage({ event_id: await addEvent(ctx, body) }, "saved"),
    removeEvent: async ({ body }, ctx) => {
      await removeEvent(ctx, body);
      return withMessage({}, "saved");
    },
    months: ({ body }, ctx) => monthsTable(ctx, body),
    why: ({ body }, ctx) => whyTotal(ctx, body),
  });
  serve(api, others, {
    list: async ({ body }, ctx) => ({ files: await pointFilesOf(ctx, body.accounting_point_id) }),
    get: ({ body }, ctx) => openFile(ctx, body),
    delete: async ({ body }, ctx) => {
      await deleteFile(ctx, body);
      return withMessage({}, "saved");
    },
  });
  await withFiles(api, { fileBytes: pointBounds.fileBytes, files: 1, bytesPerMinute }, (withParts) => {
    serve(
      withParts,
      { add },
      {
        add: async ({ params, body }, ctx) =>
          withMessage({ file: await keepFile(ctx, { ...body, id: params.id }) }, "saved"),
      },
    );
  });
}

/** Twenty of the largest files. */
const bytesPerMinute = 20 * pointBounds.fileBytes;

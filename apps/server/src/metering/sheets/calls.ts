import type { ReplyOf } from "@metrum/contract/core";
import { sheetImportBounds, sheetImports, type SheetKind } from "@metrum/contract/metering";
import { serve, withFiles, type Api, type Ctx } from "#core";
import { fieldsOf, neededOf } from "./fields.ts";
import {
  beginRehearsal,
  beginRun,
  importedRows,
  openImport,
  refusalReasons,
  refuseKind,
  takeUpload,
  visibleImports,
} from "./imports.ts";
import { undoImport } from "./undo.ts";

const { fileBytes, bytesPerMinute } = sheetImportBounds;

export async function serveSheets(api: Api): Promise<void> {
  await withFiles(api, { fileBytes, bytesPerMinute, files: 1 }, (withParts) => {
    serve(withParts, sheetImports, {
      template: ({ body }, ctx) => templateOf(ctx, body.kind),
      upload: async ({ body }, ctx) => ({ import: await openImport(ctx, await takeUpload(ctx, body)) }),
      list: async (_, ctx) => ({ imports: await visibleImports(ctx) }),
      async get({ body }, ctx) {
        const found = await openImport(ctx, body.id);
        return { import: found, reasons: await refusalReasons(ctx, found) };
      },
      rows: ({ body }, ctx) => importedRows(ctx, body),
      rehearse: async ({ body }, ctx) => ({ import: await openImport(ctx, await beginRehearsal(ctx, body)) }),
      run: async ({ body }, ctx) => ({ import: await openImport(ctx, await beginRun(ctx, body.id)) }),
      undo: async ({ body }, ctx) => ({ import: await openImport(ctx, await undoImport(ctx, body.id)) }),
    });
  });
}

/** The columns of a kind in the language of the user, and a row below them (XLS-016). */
function templateOf(ctx: Ctx, kind: SheetKind): ReplyOf<typeof sheetImports.template> {
  refuseKind(ctx, kind, "reads");
  const fields = fieldsOf(ctx, kind);
  const { language } = ctx;
  const example = {
    row: 2,
    outcome: null,
    cells: fields.map(({ example: words }) => words[language] || null),
    faults: [],
    reason: "",
    before: [],
  };
  return {
    fields: fields.map(({ field, title, isNeeded, example: words }) => ({
      field,
      title: title[language],
      is_key: field === neededOf(kind),
      is_needed: isNeeded,
      example: words[language],
    })),
    examples: { data: [example], current_page: 1, last_page: 1, per_page: 10, total: 1 },
  };
}

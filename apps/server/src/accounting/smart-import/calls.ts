import { smartImport, type ImportFile } from "@metrum/contract/accounting";
import { problem } from "@metrum/contract/core";
import { sheetImportBounds, type SheetImport } from "@metrum/contract/metering";
import { record, serve, withFiles, withMessage, type Api, type Ctx } from "#core";
import {
  beginRehearsal,
  deleteImport,
  lockedImport,
  openImport,
  refusalReasons,
  takeUpload,
  visibleImports,
} from "#metering/sheets";

const { fileBytes, bytesPerMinute } = sheetImportBounds;

export async function serveSmartImport(api: Api): Promise<void> {
  await withFiles(api, { fileBytes, bytesPerMinute, files: 1 }, (withParts) => {
    serve(withParts, smartImport, {
      start: async ({ query: { dry_run }, body }, ctx) =>
        withMessage({ file: await begin(ctx, body, dry_run === "true" || dry_run === "1") }, "import_begun"),
      files: async (_, ctx) => ({
        files: (await visibleImports(ctx)).filter(({ kind }) => kind === "objects").map(fileOf),
      }),
      async file({ params }, ctx) {
        const found = await openObjects(ctx, params.id);
        return { file: fileOf(found), reasons: await refusalReasons(ctx, found) };
      },
      async delete({ params }, ctx) {
        const found = await openObjects(ctx, params.id);
        const { id, state } = await lockedImport(ctx, found.id, "undoes");
        if (state === "rehearsing" || state === "running") throw problem("sheet_state");
        await deleteImport(ctx.db, id);
        await record(ctx, {
          action: "sheet.delete",
          subject: `sheet ${String(id)}`,
          before: { file_name: found.file_name, state },
        });
        return withMessage({}, "import_deleted");
      },
    });
  });
}

/** Begins the rehearsal with the columns that the headings name. */
async function begin(
  ctx: Ctx,
  { file_name, text }: { readonly file_name?: string | undefined; readonly text?: string | undefined },
  isRehearsalOnly: boolean,
): Promise<ImportFile> {
  const id = await takeUpload(ctx, { kind: "objects", file_name: file_name || "objects.csv", text });
  const { mapping, file_name: name } = await openImport(ctx, id);
  await beginRehearsal(ctx, { id, mapping }, !isRehearsalOnly);
  if (!isRehearsalOnly)
    await record(ctx, {
      action: "sheet.run",
      subject: `sheet ${String(id)}`,
      after: { kind: "objects", file_name: name },
    });
  return fileOf(await openImport(ctx, id));
}

/** Problem: not_found, for an import of another kind too. */
async function openObjects(ctx: Ctx, id: number): Promise<SheetImport> {
  const found = await openImport(ctx, id);
  if (found.kind !== "objects") throw problem("not_found");
  return found;
}

function fileOf({ file_name: name, state: status, ...rest }: SheetImport): ImportFile {
  const { id, user_name, row_count, done_count, counts, created_at, kept_until } = rest;
  return { id, name, status, user_name, row_count, done_count, counts, created_at, kept_until };
}

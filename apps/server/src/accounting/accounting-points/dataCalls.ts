import { pointData, pointImport, pointImportBounds } from "@metrum/contract/accounting";
import { problem } from "@metrum/contract/core";
import { record, serve, withFiles, withMessage, type Api, type Ctx, type UploadedSheet } from "#core";
import { answerTo, piecesOfPoint } from "#metering/messages";
import { isHeadingOf } from "#metering/sheets";
import { importFields, importPoints, rejectedData, validatedProfiles } from "./import/index.ts";

export function servePointData(api: Api): void {
  serve(api, pointData, {
    messages: async ({ body }, ctx) =>
      answerTo(ctx, await piecesOfPoint(ctx, body.accounting_point_id), body),
    validatedPowerProfile: ({ body }, ctx) => validatedProfiles(ctx, body),
    rejectedData: ({ body }, ctx) => rejectedData(ctx, body),
  });
}

const { fileBytes, bytesPerMinute } = pointImportBounds;

export async function servePointImport(api: Api): Promise<void> {
  await withFiles(api, { fileBytes, bytesPerMinute, files: 1 }, (withParts) => {
    serve(withParts, pointImport, {
      async import({ body }, ctx) {
        // Read before the transaction, which must not wait for a thread.
        const sheet = await sheetOf(ctx, body.text);
        const found = await importPoints(ctx, sheet);
        const { imported } = found;
        await record(ctx, { action: "point.import", after: { imported } });
        return withMessage(found, "points_imported", { count: imported });
      },
    });
  });
}

/** Problems: wrong_input, too_large, sheet_refused, too_many_requests. */
async function sheetOf(ctx: Ctx, text: string | undefined): Promise<UploadedSheet> {
  const file = ctx.files.get("file") ?? (text === undefined ? undefined : Buffer.from(text));
  if (!file) throw problem("wrong_input", { attributes: { file: ["required"] } });
  if (file.length > fileBytes) throw problem("too_large");
  const read = await ctx.parts.sheetReader.read(file, ctx.scope.companyId, isHeadingOf(importFields));
  if ("fault" in read) throw problem("sheet_refused", { attributes: { file: [read.fault] } });
  return read;
}

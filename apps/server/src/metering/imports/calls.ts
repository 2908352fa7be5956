import { problem } from "@metrum/contract/core";
import { importBounds, imports } from "@metrum/contract/metering";
import { record, serve, withFiles, withMessage, type Api, type Ctx } from "#core";
import { refuseWhenExpired } from "#access/licence";
import { mostErrors, type Parsed } from "./found.ts";
import { takeReadings } from "./take.ts";

const { fileBytes, bytesPerMinute } = importBounds;

export async function serveImports(api: Api): Promise<void> {
  await withFiles(api, { fileBytes, bytesPerMinute, files: 1 }, (withParts) => {
    serve(withParts, imports, {
      async readings({ body }, ctx) {
        // Parsed before the transaction, which must not wait for a thread.
        const parsed = await parseUpload(ctx, body.text);
        await refuseWhenExpired(ctx);
        const taken = await takeUpload(ctx, parsed);
        await record(ctx, { action: "readings.import", after: taken });
        return withMessage(taken, "readings_imported", { count: taken.readings });
      },
    });
  });
}

/** Problems: too_large, too_many_requests. */
async function parseUpload(ctx: Ctx, text: string | undefined): Promise<Parsed> {
  const file = ctx.files.get("file");
  if (!file && text === undefined) throw problem("wrong_input", { attributes: { file: ["required"] } });
  if (file && file.length > fileBytes) throw problem("too_large");
  return ctx.parts.importParser.parse(file ?? Buffer.from(text ?? ""), ctx.scope.companyId);
}

/** Problem: import_refused with the errors by row. */
async function takeUpload(ctx: Ctx, parsed: Parsed) {
  const { scope } = ctx;
  const outcome = await takeReadings(ctx, { scope, userId: scope.userId }, parsed);
  if (outcome.isTaken) {
    const { isTaken: _, ...taken } = outcome;
    return taken;
  }
  const { errors } = outcome;
  throw problem("import_refused", {
    params: { count: errors.length },
    attributes: Object.fromEntries(errors.slice(0, mostErrors).map(({ place, fault }) => [place, [fault]])),
  });
}

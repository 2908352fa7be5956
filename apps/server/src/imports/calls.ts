import { importBounds, imports, problem } from "@metrum/contract";
import { record, serve, withFiles, withMessage, type Api, type Ctx } from "#core";
import { refuseWhenExpired } from "#licence";
import { mostErrors, parseReadings } from "./parse.ts";
import { takeReadings } from "./take.ts";

export async function serveImports(api: Api): Promise<void> {
  await withFiles(api, { fileBytes: importBounds.fileBytes, files: 1 }, (withParts) => {
    serve(withParts, imports, {
      async readings({ body }, ctx) {
        await refuseWhenExpired(ctx);
        const taken = await takeUpload(ctx, body.text);
        await record(ctx, { action: "readings.import", after: taken });
        return withMessage(taken, "readings_imported", { count: taken.readings });
      },
    });
  });
}

/** Problems: import_refused with the errors by row, too_large. */
async function takeUpload(ctx: Ctx, text: string | undefined) {
  const file = ctx.files.get("file");
  if (!file && text === undefined) throw problem("wrong_input", { attributes: { file: ["required"] } });
  if (file && file.length > importBounds.fileBytes) throw problem("too_large");
  const { scope } = ctx;
  const owner = {
    companyId: scope.companyId,
    userId: scope.userId,
    tiedTo: scope.onlyTiedDevices ? scope.userId : undefined,
  };
  const outcome = await takeReadings(ctx, owner, parseReadings(file ? textOf(file) : (text ?? "")));
  if (outcome.isTaken) {
    const { readings, devices, stored } = outcome;
    return { readings, devices, stored };
  }
  const { errors } = outcome;
  throw problem("import_refused", {
    params: { count: errors.length },
    attributes: Object.fromEntries(
      errors.slice(0, mostErrors).map(({ place, message }) => [place, [message]]),
    ),
  });
}

function textOf(file: Buffer): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(file);
  } catch {
    throw problem("wrong_input", { attributes: { file: ["not_utf8"] } });
  }
}

import { pointData } from "@metrum/contract";
import { serve, type Api } from "#core";
import { answerTo, piecesOfPoint } from "#metering/messages";
import { rejectedData } from "./rejected.ts";
import { validatedProfiles } from "./validatedProfiles.ts";

export function servePointData(api: Api): void {
  serve(api, pointData, {
    messages: async ({ body }, ctx) =>
      answerTo(ctx, await piecesOfPoint(ctx, body.accounting_point_id), body),
    validatedPowerProfile: ({ body }, ctx) => validatedProfiles(ctx, body),
    rejectedData: ({ body }, ctx) => rejectedData(ctx, body),
  });
}

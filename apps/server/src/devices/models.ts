import { companyModels } from "@metrum/contract";
import { serve, type Api } from "#core";
import { modelOf, shownModel } from "#models";
import * as store from "./store.ts";

export function serveCompanyModels(api: Api): void {
  serve(api, companyModels, {
    devices: async ({ body: { ids } }, ctx) => {
      const used = await store.modelsInUse(ctx.db, ctx.scope);
      const wanted = used.filter((id) => ids?.includes(id) ?? true);
      return { metering_devices: wanted.map((id) => shownModel(modelOf(id))) };
    },
  });
}

import { companyModels } from "@metrum/contract/metering";
import { serve, type Api } from "#core";
import { modelOf, shownModel } from "#metering/models";
import * as store from "./listStore.ts";

export function serveCompanyModels(api: Api): void {
  serve(api, companyModels, {
    devices: async (_, ctx) => {
      const used = await store.modelsInUse(ctx.db, ctx.scope);
      return { metering_devices: used.map((id) => shownModel(modelOf(id))) };
    },
  });
}

import { objectConsumption, objectHeat } from "@metrum/contract/accounting";
import { serve, type Domain } from "#core";
import { consumptionOfBranch } from "./branchConsumption.ts";
import { heatOfBranch } from "./heat.ts";

/** What a branch of the objects tree has consumed, by its points. */
export const consumption: Domain = {
  name: "consumption",
  calls: (api) => {
    serve(api, objectConsumption, { calculate: ({ body }, ctx) => consumptionOfBranch(ctx, body) });
    serve(api, objectHeat, { calculate: ({ body }, ctx) => heatOfBranch(ctx, body) });
  },
};

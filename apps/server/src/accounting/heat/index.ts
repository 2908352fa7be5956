import { objectHeat } from "@metrum/contract";
import { serve, type Domain } from "#core";
import { heatOfBranch } from "./heat.ts";

/** Heat that a branch of the objects tree has consumed, by its points. */
export const heat: Domain = {
  name: "heat",
  calls: (api) => serve(api, objectHeat, { calculate: ({ body }, ctx) => heatOfBranch(ctx, body) }),
};

import { companies, currentCompany } from "@metrum/contract/access";
import { peakHours } from "@metrum/contract/metering";
import { serve, withMessage, type Api } from "#core";
import { createBelow, ownCompany, shown, switchBelow, updateBelow, updateOwn } from "./companies.ts";
import { deleteBelow, listCompanies, moveBelow, restoreDeleted } from "./hierarchy.ts";
import { defaultPeakHours, readRegions, savePeakHours } from "./peakHours.ts";
import { companyTypes } from "./types.ts";

export function serveCompanies(api: Api): void {
  serve(api, currentCompany, {
    own: async (_, ctx) => ({ company: shown(await ownCompany(ctx), ctx) }),
  });
  serve(api, companies, {
    types: (_, ctx) => ({
      company_types: companyTypes.map(({ id, title }) => ({ id, title: title[ctx.language] })),
    }),
    update: async ({ body: { company, ...fields } }, ctx) =>
      withMessage({ company: shown(await updateOwn(ctx, { ...fields, ...company }), ctx) }, "saved"),
    list: async ({ body }, ctx) => listCompanies(ctx, body),
    create: async ({ body }, ctx) =>
      withMessage({ company: shown(await createBelow(ctx, body), ctx) }, "company_created"),
    editById: async ({ params, body }, ctx) =>
      withMessage({ company: shown(await updateBelow(ctx, params.id, body), ctx) }, "saved"),
    switch: async ({ params, body }, ctx) => {
      await switchBelow(ctx, params.id, body.is_active);
      return withMessage({}, body.is_active ? "company_switched_on" : "company_switched_off");
    },
    delete: async ({ params }, ctx) => {
      await deleteBelow(ctx, params.id);
      return withMessage({}, "company_deleted");
    },
    restore: async ({ params }, ctx) =>
      withMessage({ company: shown(await restoreDeleted(ctx, params.id), ctx) }, "company_restored"),
    move: async ({ params, body }, ctx) =>
      withMessage({ company: shown(await moveBelow(ctx, params.id, body.parent_id), ctx) }, "company_moved"),
  });
}

export function servePeakHours(api: Api): void {
  const regions = readRegions(api.services.config.peakHoursFile);
  serve(api, peakHours, {
    default: (_, ctx) => defaultPeakHours(regions, ctx.language),
    set: async ({ params, body }, ctx) => {
      const list = "peak_hours" in body ? body.peak_hours : body;
      return withMessage({ peak_hours: [...(await savePeakHours(ctx, params.id, list))] }, "saved");
    },
  });
}

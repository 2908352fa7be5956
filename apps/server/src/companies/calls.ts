import { companies } from "@metrum/contract";
import { serve, withMessage, type Api } from "#core";
import { createBelow, ownCompany, shown, switchBelow, updateBelow, updateOwn } from "./companies.ts";
import * as store from "./store.ts";
import { companyTypes } from "./types.ts";

/** Rows of one answer at most, also when it is asked unpaged. */
const largestPage = 10_000;

export function serveCompanies(api: Api): void {
  serve(api, companies, {
    own: async (_, ctx) => ({ company: shown(await ownCompany(ctx), ctx) }),
    types: (_, ctx) => ({
      company_types: companyTypes.map(({ id, title }) => ({ id, title: title[ctx.language] })),
    }),
    update: async ({ body: { company, ...fields } }, ctx) =>
      withMessage({ company: shown(await updateOwn(ctx, { ...fields, ...company }), ctx) }, "saved"),
    list: async ({ body }, ctx) => {
      const limit = body.paginate === false ? largestPage : (body.per_page ?? 10);
      const current = body.paginate === false ? 1 : (body.page ?? 1);
      const { rows, total } = await store.page(ctx.db, ctx.scope, {
        sort_field: body.sort_field ?? "name",
        sort: body.sort ?? "asc",
        search: body.search_string ?? "",
        limit,
        offset: (current - 1) * limit,
      });
      const data = rows.map((row) => shown(row, ctx));
      const last_page = Math.max(1, Math.ceil(total / limit));
      return { companies: { data, current_page: current, last_page, per_page: limit, total } };
    },
    create: async ({ body }, ctx) =>
      withMessage({ company: shown(await createBelow(ctx, body), ctx) }, "company_created"),
    editById: async ({ params, body }, ctx) =>
      withMessage({ company: shown(await updateBelow(ctx, params.id, body), ctx) }, "saved"),
    switch: async ({ params, body }, ctx) => {
      await switchBelow(ctx, params.id, body.is_active);
      return withMessage({}, body.is_active ? "company_switched_on" : "company_switched_off");
    },
  });
}

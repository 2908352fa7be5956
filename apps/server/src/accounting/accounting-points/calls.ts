import { accountingPoints } from "@metrum/contract/accounting";
import { problem } from "@metrum/contract/core";
import { tabs as tabTitles } from "@metrum/vocabulary";
import { resolveOne, serve, withMessage, type Api, type Ctx } from "#core";
import { readLogOf } from "#access/audit-log";
import {
  countFollowing,
  lockPoint,
  momentOf,
  nestedPoints,
  pointsOfCompany,
  pointsOfNode,
  resourceTypes,
  shownPoint,
  subjectOf,
} from "./records/index.ts";
import { createPoint, deletePoints, placePoint, updatePoint } from "./ties/index.ts";
import { changeTerm, termsFrom } from "./terms/index.ts";
import { progressOf } from "./totals/index.ts";

export function servePoints(api: Api): void {
  serve(api, accountingPoints, {
    list: async ({ body }, ctx) => ({ accounting_points: await pointsOfNode(ctx, body) }),
    companyList: async ({ body }, ctx) => ({ accounting_points: await pointsOfCompany(ctx, body) }),
    nested: ({ body }, ctx) => nestedPoints(ctx, body.object_id),
    progress: ({ query }, ctx) => progressOf(ctx, query),
    following: async (_, ctx) => ({ points: await countFollowing(ctx.db, ctx.scope) }),
    get: async ({ params }, ctx) => ({ accounting_point: await opened(ctx, params.id) }),
    create: async ({ body }, ctx) =>
      withMessage({ accounting_point: await shownPoint(ctx, await createPoint(ctx, body)) }, "point_created"),
    update: async ({ body }, ctx) =>
      withMessage({ accounting_point: await shownPoint(ctx, await updatePoint(ctx, body)) }, "saved"),
    updateStandard: async ({ params, body }, ctx) => {
      const id = await lockPoint(ctx, params.id);
      const from = momentOf(ctx, body.valid_from, "valid_from");
      for (const term of await termsFrom(ctx, body))
        await changeTerm(ctx, id, { ...term, from, field: "valid_from" });
      return withMessage({}, "saved");
    },
    delete: async ({ body: { ids = [], id } }, ctx) => {
      const all = [...ids, ...(id === undefined ? [] : [id])];
      if (all.length === 0) throw problem("wrong_input", { attributes: { ids: ["required"] } });
      return withMessage({}, "points_deleted", { count: await deletePoints(ctx, all) });
    },
    tieObject: async ({ params, body }, ctx) => {
      const point = named(params.id ?? body.accounting_point_id, "accounting_point_id");
      await placePoint(ctx, { point, object: named(body.object_id, "object_id") });
      return withMessage({}, "point_tied");
    },
    untieObject: async ({ params, body }, ctx) => {
      const point = named(params.id ?? body.accounting_point_id, "accounting_point_id");
      await placePoint(ctx, { point, object: null, leaving: body.object_id });
      return withMessage({}, "point_untied");
    },
    tabs: async ({ body }, ctx) => {
      const { tabs } = await opened(ctx, body.accounting_point_id);
      return { tabs: Object.entries(tabs).map(([name, tab]) => ({ name, ...titlesOf(name), ...tab })) };
    },
    logs: async ({ params, body }, ctx) => {
      const given = named(params.id ?? body.accounting_point_id, "accounting_point_id");
      const id = await resolveOne(ctx, "accountingPoint", given);
      const { log: data, ...page } = await readLogOf(ctx, subjectOf(id), body);
      return { logs: { data, ...page } };
    },
    resourceTypes: (_, { language }) => resourceTypes(language),
  });
}

const opened = async (ctx: Ctx, id: number) => shownPoint(ctx, await resolveOne(ctx, "accountingPoint", id));

/** An id that the body or the path names. Problem: wrong_input. */
function named(id: number | undefined, field: string): number {
  if (id === undefined) throw problem("wrong_input", { attributes: { [field]: ["required"] } });
  return id;
}

function titlesOf(name: string): { title: string; title_en: string } {
  const title = Object.entries(tabTitles).find(([key]) => key === name)?.[1];
  return { title: title?.ru ?? name, title_en: title?.en ?? name };
}

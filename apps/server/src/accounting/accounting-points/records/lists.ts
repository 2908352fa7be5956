import { pageSize } from "@metrum/contract/core";
import type { AccountingPointId } from "@metrum/vocabulary";
import { resolveOne, type Ctx } from "#core";
import { findPoints, type PointFilter, type SortField } from "./listStore.ts";
import { shownPoints } from "./shown.ts";

/** Maximum rows of one answer, also without paging. */
const largestPage = 10_000;

interface Listed extends Omit<PointFilter, "at" | "below"> {
  readonly page?: number | undefined;
  readonly per_page?: number | undefined;
  readonly sort?: "asc" | "desc" | undefined;
  readonly sort_field?: SortField | undefined;
  readonly paginate?: boolean | undefined;
}

/** Points of a node, of its branch, or of everything that the session sees. Problem: not_found. */
export async function pointsOfNode(
  ctx: Ctx,
  {
    object_id,
    with_nested,
    ...asked
  }: Listed & { object_id?: number | undefined; with_nested?: boolean | undefined },
) {
  if (object_id === undefined) return pageOf(ctx, asked, {});
  const node = await resolveOne(ctx, "object", object_id);
  return pageOf(ctx, asked, with_nested ? { below: [node] } : { at: [node] });
}

/** Points of the company; a node that the session cannot see holds none. */
export const pointsOfCompany = (
  ctx: Ctx,
  { object_ids, ...asked }: Listed & { object_ids?: readonly number[] | undefined },
) => pageOf(ctx, asked, { below: object_ids });

/** Points of a node and all below, by name. Problem: not_found. */
export async function nestedPoints(ctx: Ctx, object_id: number) {
  const { data, total } = await pointsOfNode(ctx, { object_id, with_nested: true, paginate: false });
  return { accounting_points: data, total };
}

async function pageOf(
  ctx: Ctx,
  { page: asked = 1, per_page, sort = "asc", sort_field = "name", paginate, ...filter }: Listed,
  place: Pick<PointFilter, "at" | "below">,
) {
  const limit = paginate === false ? largestPage : pageSize(per_page ?? 10, largestPage);
  const current_page = paginate === false ? 1 : asked;
  const { total, ids } = await findPoints(ctx, ctx.scope, {
    filter: { ...filter, ...place },
    sort_field,
    sort,
    limit,
    offset: (current_page - 1) * limit,
    now: ctx.clock.now(),
  });
  return {
    data: await shownPoints(ctx, ids),
    current_page,
    last_page: Math.max(1, Math.ceil(total / limit)),
    per_page: limit,
    total,
  };
}

/** One point as it stands now, by an id that came through `resolve`. */
export async function shownPoint(ctx: Ctx, id: AccountingPointId) {
  const [point] = await shownPoints(ctx, [id]);
  if (!point) throw new Error("a resolved accounting point has no row");
  return point;
}

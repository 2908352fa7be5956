import { heatBounds, type objectHeat } from "@metrum/contract/accounting";
import { problem, type ParsedOf, type ReplyOf } from "@metrum/contract/core";
import { dayOf, dayText, resolveOne, type Ctx } from "#core";
import { totalsOfPoints } from "#accounting/accounting-points";
import { exactSum, heatPointsOf } from "./heatStore.ts";

type Reply = ReplyOf<typeof objectHeat.calculate>;

/** Problems: not_found, wrong_input. */
export async function heatOfBranch(
  ctx: Ctx,
  { object_id, startDate, stopDate }: ParsedOf<typeof objectHeat.calculate>["body"],
): Promise<Reply> {
  const { db, scope, session } = ctx;
  const [from, to] = [startDate, stopDate].map((at) => dayOf(session.companyTimeZone, at));
  if (from === undefined || to === undefined || to < from || to - from > heatBounds.days)
    throw problem("wrong_input", { attributes: { stopDate: ["range"] } });
  const found = await heatPointsOf(db, scope, await resolveOne(ctx, "object", object_id));
  const [fromDay, toDay] = [dayText(from), dayText(to)];
  const isTooLarge = found.length > heatBounds.points;
  // A part of the branch is not its heat: nothing is computed then.
  const pointIds = isTooLarge ? [] : found.map(({ id }) => id);
  const totals = await totalsOfPoints(db, { pointIds, fromDay, toDay });
  const byId = new Map(found.map((point) => [point.id, point]));
  const points = totals.map(({ pointId, amount, coveredSec, lengthSec }) => ({
    accounting_point_id: pointId,
    name: byId.get(pointId)?.name ?? "",
    object_name: byId.get(pointId)?.object_name ?? "",
    amount,
    covered_sec: coveredSec,
    length_sec: lengthSec,
  }));
  const sumOf = (name: "covered_sec" | "length_sec") => points.reduce((sum, each) => sum + each[name], 0);
  return {
    from_day: fromDay,
    to_day: toDay,
    unit: "Gcal",
    is_too_large: isTooLarge,
    amount: await exactSum(
      db,
      totals.flatMap(({ amount }) => amount ?? []),
    ),
    estimated:
      (await exactSum(
        db,
        totals.map(({ estimated }) => estimated),
      )) ?? "0",
    covered_sec: sumOf("covered_sec"),
    length_sec: sumOf("length_sec"),
    point_count: points.length,
    incomplete_count: points.filter(({ covered_sec, length_sec }) => covered_sec < length_sec).length,
    points: points
      .toSorted((a, b) => a.covered_sec / a.length_sec - b.covered_sec / b.length_sec)
      .slice(0, heatBounds.listed),
  };
}

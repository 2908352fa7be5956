import { consumptionBounds, type objectConsumption, type TypeConsumption } from "@metrum/contract/accounting";
import type { ParsedOf, ReplyOf } from "@metrum/contract/core";
import { pointTypes, units } from "@metrum/vocabulary";
import { dayOf, dayText, resolveOne, startOfDay, type Ctx } from "#core";
import { branchPeriod, partsOf, type BranchPeriod, type Days } from "./branchPeriod.ts";
import {
  countedPointsOf,
  partsByType,
  sumsByType,
  type CountedPoint,
  type MeasuredPoint,
  type Moments,
  type TypeSum,
} from "./consumptionStore.ts";

/** Problems: not_found. */
export async function consumptionOfBranch(
  ctx: Ctx,
  { object_id, period }: ParsedOf<typeof objectConsumption.calculate>["body"],
): Promise<ReplyOf<typeof objectConsumption.calculate>> {
  const { db, scope, session } = ctx;
  const asked = branchPeriod(period, dayOf(session.companyTimeZone, ctx.clock.now()));
  const found = await countedPointsOf(db, scope, await resolveOne(ctx, "object", object_id));
  const days = lengthOf(asked.now) + lengthOf(asked.before);
  const isTooLarge =
    found.length > consumptionBounds.points || found.length * days > consumptionBounds.pointDays;
  return {
    from_day: dayText(asked.now.from),
    to_day: dayText(asked.now.to),
    before_from_day: dayText(asked.before.from),
    before_to_day: dayText(asked.before.to),
    step: asked.step,
    is_too_large: isTooLarge,
    types: isTooLarge || found.length === 0 ? [] : await typesOf(ctx, found.map(measuredIn(asked)), asked),
  };
}

const lengthOf = ({ from, to }: Days): number => to - from + 1;

/** Gives points both periods in their zones. */
function measuredIn({ now, before }: BranchPeriod) {
  const known = new Map<string, Pick<MeasuredPoint, "now" | "before">>();
  const momentsOf = (zone: string, { from, to }: Days): Moments => ({
    from: startOfDay(zone, from),
    to: startOfDay(zone, to + 1),
  });
  return (point: CountedPoint): MeasuredPoint => {
    const { timezone } = point;
    const spans = known.get(timezone) ?? {
      now: momentsOf(timezone, now),
      before: momentsOf(timezone, before),
    };
    known.set(timezone, spans);
    return { ...point, ...spans };
  };
}

async function typesOf(
  { db, language }: Ctx,
  points: readonly MeasuredPoint[],
  asked: BranchPeriod,
): Promise<TypeConsumption[]> {
  const sums = new Map((await sumsByType(db, points, asked)).map((sum) => [sum.type, sum]));
  const days = partsOf(asked);
  const parts = await partsByType(db, points, { period: asked, days });
  return pointTypes.flatMap((type) => {
    const sum = sums.get(type.id);
    if (!sum) return [];
    const known = new Map(parts.filter((part) => part.type === type.id).map((part) => [part.day, part]));
    return [
      {
        resource_type_id: type.id,
        title: type.title[language],
        unit: units[type.unit][language],
        amount: sum.amount,
        estimated: sum.estimated,
        point_count: sum.point_count,
        whole_count: sum.whole_count,
        change_percent: changeOf(sum),
        compared_count: sum.compared_count,
        parts: days.map((day) => ({
          day,
          amount: known.get(day)?.amount ?? null,
          whole_count: known.get(day)?.whole_count ?? 0,
        })),
      },
    ];
  });
}

/** Shown with one decimal; null where there is nothing to compare with. */
function changeOf({ compared, before }: TypeSum): number | null {
  const [now, was] = [Number(compared), Number(before)];
  if (compared === null || before === null || was <= 0) return null;
  return Math.round(((now - was) / was) * 1000) / 10;
}

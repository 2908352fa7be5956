import { lossesOfMonth } from "#accounting/accounting-points";
import type { Db } from "#core";
import type { Days, Losses, Whose } from "./liveStore.ts";
import { monthOfDay } from "./months.ts";
import { countDiffering, type Compared } from "./readStore.ts";

/** Losses of the points of a company by what its days give now. */
export const presentLosses = (db: Db, whose: Whose, { from_day }: Pick<Days, "from_day">): Promise<Losses> =>
  lossesOfMonth(db, typeof whose === "number" ? whose : whose.companyId, monthOfDay(from_day));

/** Number of points of a stored version whose amounts or losses the days give otherwise now. */
export async function countChanged(
  db: Db,
  whose: Whose,
  { id, version, ...period }: Days & Pick<Compared, "id" | "version">,
): Promise<number> {
  const { from_day, to_day } = period;
  const losses = await presentLosses(db, whose, period);
  return countDiffering(db, whose, { id, days: { from_day, to_day }, version, compare: 0, losses });
}

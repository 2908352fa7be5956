import { dayOf, startOfDay, type Ctx } from "#core";
import { packedDaysOfPoints, type DayNumbers, type PackedDays } from "#accounting/accounting-points";
import { lossTermsOf } from "./dayStore.ts";
import type { Input } from "./compute.ts";
import { dayLengths, seriesOf } from "./series.ts";
import type { StoredGroup } from "./store.ts";

/** Zone of the days of a group: that of its points. */
export const zoneOf = (group: Pick<StoredGroup, "members">, usual: string): string =>
  group.members[0]?.timezone ?? usual;

/** The closed days of a period in a zone: days that have ended, the one that contains the last second included. */
export function daysIn(
  zone: string,
  { start, stop }: { readonly start: number; readonly stop: number },
  now: number,
): DayNumbers {
  const first = dayOf(zone, start);
  return { first, last: Math.min(dayOf(zone, Math.max(start, stop - 1)), dayOf(zone, now) - 1) };
}

/** A point without a row. */
const nothing: PackedDays = { whole: [], others: [] };

type Reads = Pick<Ctx, "db" | "session">;

/** Everything that the balances of groups are computed of, over the same days: three queries whatever their number. */
export async function inputsOf(
  { db, session }: Reads,
  groups: readonly StoredGroup[],
  range: DayNumbers,
): Promise<Map<StoredGroup, Input>> {
  if (range.last < range.first)
    return new Map(groups.map((group) => [group, inputOf(group, range.first, [], [])]));
  const ids = groups.flatMap(({ members }) => members.map(({ point_id }) => point_id));
  const days = await packedDaysOfPoints(db, ids, range);
  const byTerms = groups.filter(({ loss_rule }) => loss_rule === "points");
  const termed = byTerms.flatMap(({ members }) => members.map(({ point_id }) => point_id));
  const span = { from: (range.first - 1) * 86_400, to: (range.last + 2) * 86_400 };
  const terms = termed.length === 0 ? [] : await lossTermsOf(db, termed, span);
  return new Map(
    groups.map((group) => {
      const lengths = dayLengths(zoneOf(group, session.companyTimeZone), range);
      const series = group.members.map((member) =>
        seriesOf(member, {
          range,
          lengths,
          days: days.get(member.point_id) ?? nothing,
          losses:
            group.loss_rule === "points" ? terms.filter(({ point_id }) => point_id === member.point_id) : [],
        }),
      );
      return [group, inputOf(group, range.first, lengths, series)];
    }),
  );
}

const inputOf = (
  group: StoredGroup,
  first: number,
  lengths: Input["lengths"],
  series: Input["series"],
): Input => ({
  first,
  lengths,
  series,
  rule: group.loss_rule,
  lossText: group.loss_text,
  allowed: group.allowed_imbalance,
});

/** The same for one group. */
export async function inputFor(reads: Reads, group: StoredGroup, range: DayNumbers): Promise<Input> {
  const found = (await inputsOf(reads, [group], range)).get(group);
  if (!found) throw new Error("no input of the group");
  return found;
}

/** The last month that has ended in a zone. */
export function lastMonth(zone: string, now: number): DayNumbers {
  const date = new Date(dayOf(zone, now) * 86_400_000);
  const month = (shift: number): number =>
    Math.floor(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + shift, 1) / 86_400_000);
  return { first: month(-1), last: month(0) - 1 };
}

/** First second of a day of the group. */
export const startIn = (zone: string, day: number): number => startOfDay(zone, day);

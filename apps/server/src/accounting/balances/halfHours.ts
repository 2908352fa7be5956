import { halfHourBounds, problem, type balances, type ReplyOf } from "@metrum/contract";
import { resourceOfType, type AccountingPointId } from "@metrum/vocabulary";
import { dayOf, startOfDay, type Ctx } from "#core";
import { powersOfPoints, type DayNumbers } from "#accounting/accounting-points";
import { lossTermsOf, type LossTerm } from "./dayStore.ts";
import { zoneOf } from "./load.ts";
import { dayNumber } from "./series.ts";
import type { NamedMember, StoredGroup } from "./store.ts";

type HalfHour = ReplyOf<typeof balances.halfHours>["half_hours"][number];

const slotSec = 1800;
const slotHours = 0.5;

interface Slot {
  readonly from: number;
  /** Days since 1970-01-01, and the length of the day in seconds. */
  readonly day: number;
  readonly daySec: number;
}

/**
 * The balance of a group by half-hour, from trusted power profiles; a half-hour without the power of one point has no
 * sums. Empty for resources without such profiles. Problem: too_large.
 */
export async function halfHoursOf(ctx: Ctx, group: StoredGroup, range: DayNumbers): Promise<HalfHour[]> {
  if (resourceOfType(group.resource_type_id).key !== "electricity") return [];
  const zone = zoneOf(group, ctx.scope.timeZone);
  const slots = slotsOf(zone, range);
  const { values, slots: most } = halfHourBounds;
  if (slots.length > most || slots.length * group.members.length > values) throw problem("too_large");
  const span = { from: startOfDay(zone, range.first), to: startOfDay(zone, range.last + 1) };
  const ids = [...new Set(group.members.map(({ point_id }) => point_id))];
  const powers = await powersOfPoints(ctx, ids, span);
  const terms = byPoint(group.loss_rule === "points" ? await lossTermsOf(ctx.db, ids, span) : []);
  return slots.map((slot) => halfHourOf(slot, { group, powers, terms }));
}

function byPoint(terms: readonly LossTerm[]): Given["terms"] {
  const found = new Map<AccountingPointId, LossTerm[]>();
  for (const term of terms) {
    const own = found.get(term.point_id);
    if (own) own.push(term);
    else found.set(term.point_id, [term]);
  }
  return found;
}

function slotsOf(zone: string, { first, last }: DayNumbers): Slot[] {
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, nth) => {
    const [from, to] = [startOfDay(zone, first + nth), startOfDay(zone, first + nth + 1)];
    return Array.from({ length: Math.round((to - from) / slotSec) }, (__, at) => ({
      ...{ from: from + at * slotSec, day: dayOf(zone, from), daySec: to - from },
    }));
  }).flat();
}

interface Given {
  readonly group: StoredGroup;
  readonly powers: ReadonlyMap<AccountingPointId, ReadonlyMap<number, number>>;
  readonly terms: ReadonlyMap<AccountingPointId, readonly LossTerm[]>;
}

function halfHourOf(slot: Slot, { group, powers, terms }: Given): HalfHour {
  const { from } = slot;
  const sums = { in: 0, out: 0, loss: 0 };
  let byPoints = 0;
  let missing_points = 0;
  for (const member of group.members) {
    if (!isNamed(member, slot.day)) continue;
    const power = powers.get(member.point_id)?.get(from);
    if (power === undefined) {
      missing_points += 1;
      continue;
    }
    const amount = power * slotHours * Number(member.coefficient);
    sums[member.role] += amount;
    if (member.role !== "loss") byPoints += amount * shareAt(terms.get(member.point_id), from);
  }
  if (missing_points > 0 || group.members.length === 0)
    return { from, ...nothing, exceeds: false, missing_points };
  const losses = sums.loss + byPoints + ruleLosses(group, sums.in, slot.daySec);
  const imbalance = sums.in - sums.out - losses;
  return {
    from,
    ...{
      in: rounded(sums.in),
      out: rounded(sums.out),
      losses: rounded(losses),
      imbalance: rounded(imbalance),
    },
    imbalance_percent: sums.in === 0 ? null : rounded((imbalance / Math.abs(sums.in)) * 100),
    exceeds: Math.abs(imbalance) > (Math.abs(sums.in) * group.allowed_imbalance) / 100,
    missing_points,
  };
}

const nothing = { in: null, out: null, losses: null, imbalance: null, imbalance_percent: null } as const;

const rounded = (value: number): number => Math.round(value * 1e6) / 1e6;

const isNamed = ({ from_day, to_day }: NamedMember, day: number): boolean =>
  (from_day === null || day >= dayNumber(from_day)) && (to_day === null || day <= dayNumber(to_day));

const shareAt = (terms: readonly LossTerm[] = [], at: number): number =>
  Number(terms.findLast(({ from_ts, to_ts }) => from_ts <= at && (to_ts === null || to_ts > at))?.share ?? 0);

/** Losses by a rule that needs no point; a fixed amount of a day is spread over it. */
function ruleLosses({ loss_rule, loss_value }: StoredGroup, into: number, daySec: number): number {
  if (loss_value === null) return 0;
  if (loss_rule === "percent") return (into * loss_value) / 100;
  return loss_rule === "fixed" ? (loss_value * slotSec) / daySec : 0;
}

import { halfHourBounds, type balances } from "@metrum/contract/accounting";
import { problem, type ReplyOf } from "@metrum/contract/core";
import { resourceOfType, type AccountingPointId } from "@metrum/vocabulary";
import {
  amountOfMicro,
  dayOf,
  factorOf,
  microOf,
  partOf,
  shareOf,
  startOfDay,
  type Ctx,
  type Exact,
} from "#core";
import { lossOver, type LossStep } from "#metering/messages";
import { powersOfPoints, type DayNumbers } from "#accounting/accounting-points";
import { exactsOf, exceeds, ruleLosses, shownSums } from "./compute.ts";
import { lossTermsOf, type LossTerm } from "./dayStore.ts";
import { zoneOf } from "./load.ts";
import { dayNumber } from "./series.ts";
import type { NamedMember, StoredGroup } from "./store.ts";

type HalfHour = ReplyOf<typeof balances.halfHours>["half_hours"][number];

const slotSec = 1800;
const slotsAnHour = 2n;

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
  const zone = zoneOf(group, ctx.session.companyTimeZone);
  const slots = slotsOf(zone, range);
  const { values, slots: most } = halfHourBounds;
  if (slots.length > most || slots.length * group.members.length > values) throw problem("too_large");
  const span = { from: startOfDay(zone, range.first), to: startOfDay(zone, range.last + 1) };
  const ids = [...new Set(group.members.map(({ point_id }) => point_id))];
  const powers = await powersOfPoints(ctx, ids, span);
  const terms = byPoint(group.loss_rule === "points" ? await lossTermsOf(ctx.db, ids, span) : []);
  const members = group.members.map((member) => ({ ...member, factor: factorOf(member.coefficient) }));
  return slots.map((slot) => halfHourOf(slot, { group, members, powers, terms }));
}

function byPoint(terms: readonly LossTerm[]): Given["terms"] {
  const found = new Map<AccountingPointId, LossStep[]>();
  for (const { point_id, from_ts: from, to_ts: to, share } of terms) {
    const own = found.get(point_id);
    if (own) own.push({ from, to, share });
    else found.set(point_id, [{ from, to, share }]);
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
  readonly members: readonly (NamedMember & { readonly factor: bigint })[];
  readonly powers: ReadonlyMap<AccountingPointId, ReadonlyMap<number, number>>;
  readonly terms: ReadonlyMap<AccountingPointId, readonly LossStep[]>;
}

function halfHourOf(slot: Slot, { group, members, powers, terms }: Given): HalfHour {
  const { from } = slot;
  const sums = { in: 0n, out: 0n, loss: 0n };
  let byPoints = 0n;
  let missing_points = 0;
  for (const member of members) {
    if (!isNamed(member, slot.day)) continue;
    const power = powers.get(member.point_id)?.get(from);
    if (power === undefined) {
      missing_points += 1;
      continue;
    }
    const amount = energyOf(power, member.factor);
    sums[member.role] += amount;
    const share =
      member.role === "loss"
        ? undefined
        : lossOver(terms.get(member.point_id) ?? [], { from, to: from + slotSec });
    if (share !== undefined) byPoints += shareOf(amount, share);
  }
  if (missing_points > 0 || members.length === 0) return { from, ...nothing, exceeds: false, missing_points };
  const exacts = exactsOf(sums.in, sums.out, sums.loss + byPoints + lossesOf(group, sums.in, slot.daySec));
  return { from, ...shownSums(exacts), exceeds: exceeds(exacts, group.allowed_imbalance), missing_points };
}

/** Energy of a mean power over a half-hour: to a millionth of the power, as readings are stored. */
const energyOf = (power: number, factor: bigint): Exact =>
  amountOfMicro(Number(microOf(power)), factor) / slotsAnHour;

const nothing = { in: null, out: null, losses: null, imbalance: null, imbalance_percent: null } as const;

const isNamed = ({ from_day, to_day }: NamedMember, day: number): boolean =>
  (from_day === null || day >= dayNumber(from_day)) && (to_day === null || day <= dayNumber(to_day));

/** Losses by a rule that needs no point; a fixed amount of a day is spread over it. */
function lossesOf({ loss_rule: rule, loss_text: lossText }: StoredGroup, into: Exact, daySec: number): Exact {
  const ofDay = ruleLosses({ rule, lossText }, into, 1);
  return rule === "fixed" ? partOf(ofDay, slotSec, daySec) : ofDay;
}

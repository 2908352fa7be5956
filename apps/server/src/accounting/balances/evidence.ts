import { resourceOfType, type AccountingPointId, type DeviceId } from "@metrum/vocabulary";
import { dayText, shareOf, shown, startOfDay, type Ctx, type Exact } from "#core";
import { clocksOf, latestReadings } from "#metering/messages";
import { causesOf, type Cause, type Evidence, type OutsideDays, type PointDays } from "./causes.ts";
import { deviceDays, outsideOf, ratiosOf, type PointRatio } from "./causeStore.ts";
import { exactsOf, ruleLosses, sumsOver, type Exacts, type Input, type Part } from "./compute.ts";
import { packedDaysOfPoints, type PackedDays } from "#accounting/accounting-points";
import { amountAt, ExactSum, shownAmounts } from "./dayAmounts.ts";
import type { PointDevice } from "./dayStore.ts";
import { grossOf, type Days, type Ratio } from "./fit.ts";
import type { Series } from "./series.ts";
import type { StoredGroup } from "./store.ts";

/**
 * Accuracy class of meters by resource, percent: that of common meters for accounting. Electricity: class 1 (IEC
 * 62053-21); water: the upper zone of class 2 (ISO 4064-1); gas: class 1.5 (EN 1359); heat: class 2 (EN 1434-1).
 */
const classes: Readonly<Record<string, number>> = { electricity: 1, water: 2, gas: 1.5, heat: 2 };
export const accuracyClass = (resourceTypeId: number): number =>
  classes[resourceOfType(resourceTypeId).key] ?? 1;

/** Days whose clocks are looked at: the last ones of the period. */
const clockDays = 3;

interface Of {
  readonly group: StoredGroup;
  readonly input: Input;
  readonly byDay: ReturnType<typeof sumsByDay>;
  readonly devices: ReadonlyMap<AccountingPointId, PointDevice>;
  readonly zone: string;
}

/** A current of a phase that is missing or reversed, by device. */
export type Phases = ReadonlyMap<number, string>;

export interface Found {
  readonly causes: readonly Cause[];
  readonly phases: Phases;
  /** Computed days of the series of the causes. */
  readonly days: readonly number[];
}

const nothing: Found = { causes: [], phases: new Map(), days: [] };

/** The causes of an imbalance, with what is read only when there is one to explain. */
export async function findCauses(ctx: Ctx, of: Of): Promise<Found> {
  const { group, byDay } = of;
  const days = [...byDay.keys()].filter((at) => byDay[at]);
  const error = accuracyClass(group.resource_type_id) / 100;
  const imbalance = byDay.flatMap((day) => (day ? [shown(day.imbalance)] : []));
  const inputs = byDay.flatMap((day) => (day ? [shown(day.in)] : []));
  if (days.length === 0 || grossOf(imbalance) <= error * grossOf(inputs)) return nothing;
  const evidence: Evidence = {
    days,
    imbalance,
    into: inputs,
    points: await pointDays(ctx, of, days),
    outside: await outsideDays(ctx, of, days),
    clocks: await clocks(ctx, of),
    error,
  };
  const causes = causesOf(evidence);
  return { causes, phases: await phasesOf(ctx, causes), days };
}

/** Exact sums of each day on which every point is known, without the help of gaps; undefined: of another day. */
export const sumsByDay = (input: Input): readonly (Exacts | undefined)[] =>
  input.lengths.map((_, at) => (isWhole(input, at) ? sumsOfDay(input, at) : undefined));

const isWhole = ({ series }: Input, at: number): boolean =>
  series.length > 0 && series.every(({ missing }) => (missing[at] ?? 0) === 0);

function sumsOfDay(input: Input, at: number): Exacts {
  const sums = { in: new ExactSum(), out: new ExactSum(), loss: new ExactSum() };
  let byPoints: Exact = 0n;
  for (const { member, amounts, lossShares } of input.series) {
    sums[member.role].addDay(amounts, at);
    const share = lossShares[at];
    if (share !== undefined && member.role !== "loss") byPoints += shareOf(amountAt(amounts, at), share);
  }
  const into = sums.in.value;
  return exactsOf(into, sums.out.value, sums.loss.value + byPoints + ruleLosses(input, into, 1));
}

const estimatedOn = ({ estimated }: Series, days: readonly number[]): Days =>
  days.map((at) => {
    const amount = estimated.get(at);
    return amount === undefined ? 0 : shown(amount);
  });

async function pointDays(
  ctx: Ctx,
  { input, devices, zone }: Of,
  days: readonly number[],
): Promise<PointDays[]> {
  const last = input.first + (days.at(-1) ?? 0);
  const ids = input.series.map(({ member }) => member.point_id);
  const ratios = await ratiosOf(ctx.db, ids, { day: dayText(last), at: startOfDay(zone, last + 1) - 1 });
  return input.series.map((series: Series) => {
    const { point_id, name, role } = series.member;
    return {
      point_id,
      device_id: devices.get(point_id)?.id ?? null,
      name,
      role,
      values: shownAmounts(series.amounts, days),
      estimated: estimatedOn(series, days),
      isReplaced: days.map((at) => ((series.flags[at] ?? 0) & replaced) !== 0),
      ratio: ratioOf(ratios.get(point_id)),
    };
  });
}

/** Bit of `point_day.flags`. */
const replaced = 1;
const usualSecondary = 5;

/** The tied current transformer, or one with the ratio of the day and a secondary current of 5 A. */
function ratioOf(row: PointRatio | undefined): Ratio {
  if (row?.primary && row.secondary) return { primary: row.primary, secondary: row.secondary };
  return { primary: (row?.ratio ?? 1) * usualSecondary, secondary: usualSecondary };
}

async function outsideDays(ctx: Ctx, { group, input }: Of, days: readonly number[]): Promise<OutsideDays[]> {
  const resource = resourceOfType(group.resource_type_id);
  const found = await outsideOf(ctx.db, ctx.scope, {
    points: group.members.map(({ point_id }) => point_id),
    inputs: group.members.flatMap(({ role, point_id }) => (role === "in" ? [point_id] : [])),
    resourceTypeId: group.resource_type_id,
    deviceGroupId: resource.deviceGroupId,
  });
  const range = { first: input.first, last: input.first + input.lengths.length - 1 };
  const idsOf = (kind: string) => found.filter((each) => each.kind === kind).map(({ id }) => id);
  const rows = await packedDaysOfPoints(ctx.db, idsOf("point") as AccountingPointId[], range);
  const read = await deviceDays(ctx.db, {
    ids: idsOf("device") as DeviceId[],
    field: resource.mainField ?? "tariff0",
    range,
  });
  return found.map((each): OutsideDays => {
    const byDay = new Map(
      each.kind === "point"
        ? numbersOf(rows.get(each.id as AccountingPointId))
        : read.filter(({ device_id }) => device_id === each.id).map(({ at, amount }) => [at, amount]),
    );
    const values = days.map((at) => byDay.get(at) ?? null);
    const isKnown = 2 * values.filter((value) => value !== null).length > days.length;
    return { ...each, values: isKnown ? values : null };
  });
}

/** Days of a point of which everything is known, about. */
function numbersOf(point: PackedDays | undefined): [at: number, amount: number][] {
  if (!point) return [];
  const whole = point.whole.flatMap((micro, at): [number, number][] =>
    Number.isNaN(micro) ? [] : [[at, micro / 1e6]],
  );
  const others = point.others.flatMap(({ at, amount, missingSec }): [number, number][] =>
    amount === null || missingSec > 0 ? [] : [[at, Number(amount)]],
  );
  return [...whole, ...others];
}

async function clocks(ctx: Ctx, { devices, input }: Of): Promise<ReadonlyMap<number, number>> {
  const ids = [...devices.values()].map(({ id }) => id);
  const last = input.first + input.lengths.length - 1;
  return clocksOf(ctx.db, ids, { first: dayText(last - clockDays + 1), last: dayText(last) });
}

const phaseNames = ["A", "B", "C"] as const;
/** A phase carries current if it has a twentieth of the largest. */
const leastCurrent = 0.05;

/** Phases that are missing or reversed in the last readings of the devices of causes, if they deliver them. */
async function phasesOf(ctx: Ctx, causes: readonly Cause[]): Promise<Phases> {
  const ids = causes.flatMap(({ kind, point }) =>
    (kind === "fell" || kind === "ratio") && point?.device_id != null ? [point.device_id as DeviceId] : [],
  );
  const latest = await latestReadings(ctx.db, ids);
  return new Map(
    [...latest].flatMap(([id, { values }]) => {
      const bad = badPhases(values);
      return bad === "" ? [] : [[id, bad] as const];
    }),
  );
}

export function badPhases(values: Readonly<Record<string, number | null>>): string {
  const of = (prefix: string) => phaseNames.map((_, at) => values[`${prefix}${String(at + 1)}`] ?? null);
  const [currents, powers] = [of("current"), of("power_active")];
  const largest = Math.max(...currents.map((each) => Math.abs(each ?? 0)));
  return phaseNames
    .filter((_, at) => {
      const [current, power] = [currents[at] ?? null, powers[at] ?? null];
      const isReversed = power !== null && power < 0 && powers.some((each) => (each ?? 0) > 0);
      return isReversed || (current !== null && largest > 0 && current < leastCurrent * largest);
    })
    .join(", ");
}

/** The whole period as a part. */
export const wholePart = ({ lengths }: Pick<Input, "lengths">): Part => ({ from: 0, to: lengths.length - 1 });

export const totalOf = (input: Input) => sumsOver(input, wholePart(input));

import {
  balanceStates,
  type Balance,
  type BalanceGroup,
  type BalancePoint,
  type ListedBalanceGroup,
} from "@metrum/contract/accounting";
import {
  amountDecimals,
  resourceOfType,
  units,
  type AccountingPointId,
  type Language,
} from "@metrum/vocabulary";
import {
  absolute,
  dayText,
  difference,
  numberText,
  percentOf,
  product,
  shareOf,
  shown,
  startOfDay,
  sum,
  type Ctx,
  type Exact,
} from "#core";
import { exceeds, periodSums, shownSums, sumsByMonth, type Input, type Result } from "./compute.ts";
import { closedBills, dayFlags, type ClosedBills, type DayNumbers } from "#accounting/accounting-points";
import { billsOf, shownClosed } from "./bills.ts";
import { devicesOfPoints, unmeteredDays, type PointDevice } from "./dayStore.ts";
import { accuracyClass, findCauses, sumsByDay, totalOf, wholePart, type Found } from "./evidence.ts";
import { ledgerOf } from "./ledger.ts";
import { inputFor, zoneOf } from "./load.ts";
import { lackingOf, missingData } from "./missingData.ts";
import { restCode, shownCauses } from "./shownCauses.ts";
import type { Series } from "./series.ts";
import type { StoredGroup } from "./store.ts";
import { said } from "./words.ts";

const unitsOf = { electricity: units.kWh, heat: units.Gcal } as const;

/** Unit of the amounts of a resource type. */
export function unitOf(resourceTypeId: number, language: Language): string {
  const { key } = resourceOfType(resourceTypeId);
  return (key === "electricity" || key === "heat" ? unitsOf[key] : units.m3)[language];
}

/** Fields of a group without its points. */
export function shownGroup(
  group: StoredGroup,
  { language, session }: Pick<Ctx, "language" | "session">,
): Omit<BalanceGroup, "points"> {
  const idsOf = (role: string) =>
    group.members.filter((each) => each.role === role).map(({ point_id }) => point_id);
  return {
    id: group.id,
    name: group.name,
    resource_type_id: group.resource_type_id,
    allowed_imbalance: group.allowed_imbalance,
    loss_rule: group.loss_rule,
    loss_value: group.loss_value,
    unit: unitOf(group.resource_type_id, language),
    timezone: zoneOf(group, session.companyTimeZone),
    comment: group.comment,
    version: group.version,
    input_point_ids: idsOf("in"),
    output_point_ids: idsOf("out"),
    loss_point_ids: idsOf("loss"),
  };
}

export function listedGroup(
  group: StoredGroup,
  input: Input,
  ctx: Pick<Ctx, "language" | "session">,
): ListedBalanceGroup {
  const month = periodSums(input, wholePart(input));
  return {
    ...shownGroup(group, ctx),
    point_count: group.members.length,
    month,
    state_text: balanceStates[month.state][ctx.language],
  };
}

/** The balance of a group over a range of days, as the view shows it. */
export async function balanceOf(ctx: Ctx, group: StoredGroup, range: DayNumbers): Promise<Balance> {
  const zone = zoneOf(group, ctx.session.companyTimeZone);
  const ids = group.members.map(({ point_id }) => point_id);
  const [input, devices, closed] = await Promise.all([
    inputFor(ctx, group, range),
    devicesOfPoints(ctx.db, ids, startOfDay(zone, range.last + 1)),
    closedBills(ctx, { pointIds: [...new Set(ids)], zone, range }),
  ]);
  const unmetered = await unmeteredDays(ctx.db, lackingOf(input), { zone, first: input.first });
  const result = totalOf(input);
  const total = periodSums(input, wholePart(input), result);
  const { language } = ctx;
  const unit = unitOf(group.resource_type_id, language);
  const byDay = sumsByDay(input);
  const found = await findCauses(ctx, { group, input, byDay, devices, zone });
  const days = daysOf({ input, byDay, result, zone });
  const points = pointsOf({ input, result, devices, found, closed, language, unit });
  const causes = [
    ...shownCauses(found, { first: input.first, imbalance: total.imbalance ?? 0, unit, language }),
    ...missingData(points, { hasTotal: result.exacts !== null, language, unmetered }),
  ];
  return {
    group: shownGroup(group, ctx),
    total,
    shares: sharesOf(result),
    counts: countsOf(points),
    state_text: balanceStates[total.state][language],
    closed: shownClosed(closed, language),
    since_day: sinceOf(days, total.state),
    limit: limitOf(result, group.allowed_imbalance),
    coverage: coverageOf({ total, points, input, group, language }),
    ledger: ledgerOf(points, result, { allowed: group.allowed_imbalance, language }),
    points,
    days,
    months: sumsByMonth(input, total),
    causes,
    rest: restOf(total.imbalance, total.in, { causes, group, unit, language }),
  };
}

const sharesOf = ({ exacts }: Result): Balance["shares"] => ({
  out: exacts && percentOf(exacts.out, exacts.in),
  losses: exacts && percentOf(exacts.losses, exacts.in),
});

function countsOf(points: readonly BalancePoint[]): Balance["counts"] {
  const of = (role: BalancePoint["role"]) => points.filter((point) => point.role === role).length;
  return { in: of("in"), out: of("out"), loss: of("loss") };
}

function daysOf(of: {
  readonly input: Input;
  readonly byDay: ReturnType<typeof sumsByDay>;
  readonly result: Result;
  readonly zone: string;
}): Balance["days"] {
  const { input, byDay, zone } = of;
  const running = { in: 0n, imbalance: 0n };
  return input.lengths.map((_, at): Balance["days"][number] => {
    const sums = byDay[at];
    if (sums) {
      running.in += sums.in;
      running.imbalance += sums.imbalance;
    }
    return {
      day: dayText(input.first + at),
      at: startOfDay(zone, input.first + at),
      ...shownSums(sums ?? null),
      state: sums ? "computed" : of.result.isOut[at] ? "incomplete" : "bridged",
      cumulative_percent: sums ? percentOf(running.imbalance, running.in) : null,
      exceeds: sums ? exceeds(sums, input.allowed) : false,
      missing_points: sums ? 0 : input.series.filter((series) => (series.missing[at] ?? 0) > 0).length,
    };
  });
}

/** The first day of the run of days beyond the limit with which the period ends. */
function sinceOf(days: Balance["days"], state: Balance["total"]["state"]): string | null {
  if (state !== "exceeded") return null;
  const computed = days.filter((day) => day.state === "computed");
  const lastWithin = computed.findLastIndex((day) => !day.exceeds);
  return computed[lastWithin + 1]?.day ?? null;
}

function limitOf({ exacts }: Result, percent: number): Balance["limit"] {
  if (!exacts) return { percent, amount: null, over: null };
  const amount = shareOf(absolute(exacts.in), String(percent)) / 100n;
  const over = absolute(exacts.imbalance) - amount;
  return { percent, amount: shown(amount), over: over > 0n ? shown(over) : null };
}

interface PointsOf {
  readonly input: Input;
  readonly result: Result;
  readonly devices: ReadonlyMap<AccountingPointId, PointDevice>;
  readonly found: Found;
  readonly closed: readonly ClosedBills[];
  readonly language: Language;
  readonly unit: string;
}

const roleOrder = { in: 0, out: 1, loss: 2 } as const;

/** Points by role, the largest consumption first. */
function pointsOf(of: PointsOf): BalancePoint[] {
  return of.input.series
    .map((series, at) => pointOf(series, of.result.byPoint[at] ?? null, of))
    .toSorted(
      (a, b) =>
        roleOrder[a.role] - roleOrder[b.role] || (b.amount ?? 0) - (a.amount ?? 0) || a.point_id - b.point_id,
    );
}

function pointOf(
  series: Series,
  amount: Exact | null,
  { input, result, devices, found, closed, language, unit }: PointsOf,
): BalancePoint {
  const { point_id, role, name, coefficient } = series.member;
  const device = devices.get(point_id);
  const estimated = result.exacts && shown(estimatedOf(series, result.isOut));
  const isInterpolated = hasFlag(series, dayFlags.rare);
  const missing_sec = series.missing.reduce((sum, sec) => sum + sec, 0);
  const lacking = missing_sec === 0 ? [] : [...series.missing.keys()].filter((at) => series.missing[at]);
  const dayOfMissing = (at: number | undefined) => (at === undefined ? null : dayText(input.first + at));
  const facts = {
    missing_sec,
    missing_days: lacking.length,
    missing_from: dayOfMissing(lacking[0]),
    missing_to: dayOfMissing(lacking.at(-1)),
    isSilent: isSilent(series, input.lengths),
    estimated,
    isInterpolated,
    isUnmetered: hasFlag(series, dayFlags.unmetered),
    cause: found.causes.find(({ point }) => point?.point_id === point_id && point.role === role),
  };
  return {
    point_id,
    role,
    name,
    coefficient: Number(coefficient),
    device_id: device?.id ?? null,
    device: device?.title ?? null,
    amount: amount === null ? null : shown(amount),
    share: amount !== null && result.exacts ? percentOf(amount, result.exacts.in) : null,
    estimated,
    ...stateOfPoint(facts, language, unit),
    missing_sec,
    missing_days: facts.missing_days,
    missing_from: facts.missing_from,
    missing_to: facts.missing_to,
    bills: billsOf(closed, point_id, { unit, language }),
  };
}

/** Of the days that count, as the amount is; both begin with the first day of the request. */
function estimatedOf(series: Series, isOut: readonly boolean[]): Exact {
  let sum = 0n;
  for (const [at, amount] of series.estimated) if (!isOut[at]) sum += amount;
  return sum;
}

const hasFlag = ({ flags, isNamed }: Series, flag: number): boolean =>
  flags.some((of, at) => isNamed[at] === true && ((of ?? 0) & flag) !== 0);

const isSilent = ({ missing, isNamed }: Series, lengths: readonly number[]): boolean =>
  missing.length > 0 &&
  isNamed.includes(true) &&
  lengths.every((length, at) => !isNamed[at] || (missing[at] ?? 0) >= length);

interface Facts {
  readonly missing_sec: number;
  readonly isSilent: boolean;
  readonly estimated: number | null;
  readonly isInterpolated: boolean;
  readonly isUnmetered: boolean;
  readonly cause: Found["causes"][number] | undefined;
}

function stateOfPoint(
  { missing_sec, isSilent: isEmpty, estimated, isInterpolated, isUnmetered, cause }: Facts,
  language: Language,
  unit: string,
): Pick<BalancePoint, "state" | "state_text"> {
  if (isEmpty) return { state: "no_data", state_text: said("no_data_state", language) };
  if (cause && cause.kind !== "estimated") {
    const lost = (-cause.factor / (1 + cause.factor)) * 100;
    const words =
      cause.kind === "shift"
        ? said("clock_state", language)
        : cause.kind === "ratio" && cause.since === 0
          ? said("ratio_state", language)
          : `${lost > 0 ? "+" : ""}${numberText(lost, language, 0)} %`;
    return { state: "cause", state_text: words };
  }
  if (missing_sec > 0)
    return {
      state: "missing",
      state_text: said("missing", language, { span: spanText(missing_sec, language) }),
    };
  if (estimated !== null && estimated !== 0)
    return {
      state: "estimated",
      state_text: said("estimated_state", language, {
        amount: `${numberText(estimated, language, amountDecimals)} ${unit}`,
      }),
    };
  if (isInterpolated) return { state: "estimated", state_text: said("interpolated_state", language) };
  return { state: "complete", state_text: said(isUnmetered ? "unmetered_state" : "complete", language) };
}

const hourSec = 3600;
const longSec = 72 * hourSec;

export const spanText = (sec: number, language: Language): string =>
  sec < longSec
    ? said("hours", language, { hours: numberText(sec / hourSec, language, 1) })
    : said("days", language, { days: numberText(sec / (24 * hourSec), language, 1) });

function coverageOf(of: {
  readonly total: Balance["total"];
  readonly points: readonly BalancePoint[];
  readonly input: Input;
  readonly group: StoredGroup;
  readonly language: Language;
}): Balance["coverage"] {
  const { total, points, language } = of;
  const interpolated_points = of.input.series.filter((series) => hasFlag(series, dayFlags.rare)).length;
  const incomplete = points.filter(({ missing_sec }) => missing_sec > 0).length;
  return {
    points: points.length,
    incomplete_points: incomplete,
    interpolated_points,
    covered_percent: total.covered_percent,
    missing_sec: points.reduce((sum, { missing_sec }) => sum + missing_sec, 0),
    text:
      incomplete === 0
        ? said(interpolated_points === 0 ? "complete" : "complete_interpolated", language, {
            points: interpolated_points,
          })
        : said("covered", language, {
            points: incomplete,
            all: points.length,
            percent: numberText(total.covered_percent, language, 1),
            days: total.computed_days,
            of: total.days,
          }),
    is_one_zone: new Set(of.group.members.map(({ timezone }) => timezone)).size <= 1,
  };
}

function restOf(
  imbalance: number | null,
  into: number | null,
  of: {
    readonly causes: Balance["causes"];
    readonly group: StoredGroup;
    readonly unit: string;
    readonly language: Language;
  },
): Balance["rest"] {
  if (imbalance === null || into === null) return null;
  const { causes, group, unit, language } = of;
  const amount = difference(imbalance, sum(causes.map((cause) => cause.amount)));
  const accuracy = accuracyClass(group.resource_type_id);
  const error = product(Math.abs(into), accuracy, 0.01);
  const is_within = Math.abs(amount) <= error;
  const params = {
    class: numberText(accuracy, language, accuracy % 1 === 0 ? 0 : 1),
    error: `${numberText(error, language, amountDecimals)} ${unit}`,
  };
  return {
    amount,
    error,
    accuracy_class: accuracy,
    is_within,
    text: said(restCode(is_within, causes), language, params),
  };
}

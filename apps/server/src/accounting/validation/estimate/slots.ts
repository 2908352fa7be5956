import { fields, statuses } from "@metrum/vocabulary";
import { dayOf, startOfDay } from "#core";
import { growth } from "#metering/messages";
import { isTrusted, profileField, type Finding, type Judged, type Value } from "../judged/index.ts";
import { allKinds } from "../kinds/index.ts";

/** A value to be estimated: a counter at `ts`, whose consumption since the one before is `from`..`to`. */
export interface Slot {
  readonly msgTypes: readonly number[];
  readonly ts: number;
  readonly from: number;
  readonly to: number;
}

/** What an estimate must fit between: consumption of all slots, and of the rest up to the next known value. */
export interface Frame {
  readonly slots: readonly Slot[];
  /** The counter before the first slot; a profile has none. */
  readonly before: Value | undefined;
  readonly after: Value | undefined;
  /** Consumption from before the first slot to after the last; undefined when only the history can say it. */
  readonly total: number | undefined;
  /** What the total was taken from. */
  readonly fittedTo: "register" | "neighbours" | undefined;
}

const mostSlots = 1_500;
const candidates = 20;

export type Span = Pick<Finding, "from" | "to"> & { readonly kind: string; readonly field: string };

const doubtsNoValues = (kind: string): boolean =>
  allKinds.some((each) => each.name === kind && each.doubtsNoValues === true);

/** Values of an exception that stand now, of every message type, without those already refused. */
export function standingValues(judged: Judged, { from, to, kind, field }: Span): readonly Value[] {
  if (kind === "gap" || kind === "clock" || doubtsNoValues(kind)) return [];
  const all = [...judged.levels.values()].flat().filter((value) => value.field === field);
  return all.filter(({ ts, status }) => ts >= from && ts <= to && status !== statuses.rejected.id);
}

/** The slots of an exception and the known values around them. */
export function frameOf(judged: Judged, span: Span, register: Judged): Frame | undefined {
  const slots = judged.isProfile ? profileSlots(judged, span) : registerSlots(judged, span);
  const [first, last] = [slots[0], slots.at(-1)];
  if (!first || !last || slots.length > mostSlots) return undefined;
  if (judged.isProfile)
    return { slots, ...profileTotal(judged, register, slots), before: undefined, after: undefined };
  const values = (judged.levels.get(judged.field) ?? []).filter(
    ({ status }) => status !== statuses.rejected.id,
  );
  const before = values.findLast(({ ts, status }) => ts <= first.from && isTrusted(status));
  const after = values
    .filter(({ ts }) => ts > last.ts)
    .slice(0, candidates)
    .find((value) => before && growth(before, value, judged.rangeOf(value.field)) !== null);
  if (!before) return undefined;
  const total = after && growth(before, after, judged.rangeOf(judged.field));
  return {
    slots,
    before,
    after,
    total: total ?? undefined,
    fittedTo: total === undefined ? undefined : "neighbours",
  };
}

function registerSlots(judged: Judged, span: Span): Slot[] {
  const values = judged.levels.get(judged.field) ?? [];
  const times =
    span.kind === "gap"
      ? missingTimes(judged, span)
      : [...new Set(values.filter(({ ts }) => ts >= span.from && ts <= span.to).map(({ ts }) => ts))];
  const known = values.findLast(
    ({ ts, status }) => isTrusted(status) && (span.kind === "gap" ? ts <= span.from : ts < span.from),
  );
  let from = known?.ts ?? times[0] ?? 0;
  return times.map((ts) => {
    const types = values.filter((each) => each.ts === ts).map(({ msgType }) => msgType);
    const slot = { msgTypes: types.length > 0 ? types : [typeAround(values, span)], ts, from, to: ts };
    from = ts;
    return slot;
  });
}

/** The type of the value that ends a gap. */
const typeAround = (values: readonly Value[], { to }: Span): number =>
  values.find(({ ts }) => ts >= to)?.msgType ?? values.at(-1)?.msgType ?? 1;

/** Times at which values are missing: midnights of a daily archive, else the usual distance. */
function missingTimes(judged: Judged, span: Span): number[] {
  const { zone, everySec } = judged;
  const times: number[] = [];
  if (typeAround(judged.levels.get(judged.field) ?? [], span) === 101) {
    for (let day = dayOf(zone, span.from) + 1; times.length <= mostSlots; day++) {
      const at = startOfDay(zone, day);
      if (at >= span.to) break;
      if (at > span.from) times.push(at);
    }
    return times;
  }
  const step = Math.max(everySec, (span.to - span.from) / mostSlots);
  // The grid of the value after the gap: that before it may have come out of turn.
  const first = span.to - Math.floor((span.to - span.from - 1) / step) * step;
  for (let at = first; at < span.to - step / 3; at += step)
    if (at > span.from + step / 3) times.push(Math.round(at));
  return times;
}

function profileSlots(judged: Judged, span: Span): Slot[] {
  const { everySec } = judged;
  const standing = (judged.levels.get(profileField) ?? []).map(({ ts }) => ts);
  const slot = (ts: number): Slot => ({ msgTypes: [5], ts, from: ts, to: ts + everySec });
  if (span.kind !== "gap") return standing.filter((ts) => ts >= span.from && ts <= span.to).map(slot);
  const slots: Slot[] = [];
  for (let ts = span.from + everySec; ts < span.to && slots.length <= mostSlots; ts += everySec)
    slots.push(slot(ts));
  return slots;
}

/** Consumption of the slots by the register, if it stood at both ends, else by the rest of its day. */
function profileTotal(
  judged: Judged,
  register: Judged,
  slots: readonly Slot[],
): Pick<Frame, "total" | "fittedTo"> {
  const [first, last] = [slots[0], slots.at(-1)];
  if (!first || !last) return { total: undefined, fittedTo: undefined };
  const direct = registerBetween(register, first.from, last.to);
  if (direct !== undefined) return { total: direct, fittedTo: "register" };
  const day = dayOf(judged.zone, first.from);
  const [start, end] = [startOfDay(judged.zone, day), startOfDay(judged.zone, day + 1)];
  const whole = last.to <= end ? registerBetween(register, start, end) : undefined;
  const own = new Set(slots.map(({ ts }) => ts));
  const others = judged.steps.filter(({ from }) => from >= start && from < end && !own.has(from));
  const isWhole = (others.length + slots.length) * judged.everySec === end - start;
  if (whole === undefined || !isWhole) return { total: undefined, fittedTo: undefined };
  const rest = whole - others.reduce((sum, { amount }) => sum + amount, 0);
  return rest < 0 ? { total: undefined, fittedTo: undefined } : { total: rest, fittedTo: "register" };
}

/** Growth of the register between two instants at which it was read. */
export function registerBetween(
  { levels, field, rangeOf }: Judged,
  from: number,
  to: number,
): number | undefined {
  const values = (levels.get(field) ?? []).filter(({ status }) => isTrusted(status));
  const [one, other] = [values.find(({ ts }) => ts === from), values.find(({ ts }) => ts === to)];
  return one && other ? (growth(one, other, rangeOf(field)) ?? undefined) : undefined;
}

/** Digits of a field as people see it. */
export const digitsOf = (field: string): number =>
  Object.hasOwn(fields, field) ? fields[field as keyof typeof fields].decimals : 3;

import { startOfDay, type Day } from "#core";
import {
  firstNotBefore,
  isSettledAfter,
  isSettledBefore,
  isUsualKnown,
  nearest,
  nodesOfRegister,
  type Between,
  type Sources,
} from "../days/index.ts";
import type { Window } from "./sources.ts";
import type { Neighbours } from "./totalsStore.ts";

/** What was read of a point around some of its days. */
export interface ReadPoint extends Pick<
  Sources,
  "ties" | "ratios" | "readings" | "rangeOf" | "remembered" | "dividesFrom" | "read"
> {
  readonly window: Window;
  readonly registers: readonly Neighbours[];
  readonly now: number;
}

/** Days beyond which a value is not interpolated with, and beyond which it does not tell how far apart others are. */
const [pairDays, usualDays] = [3, 10];

/** Whether what was read tells how far apart values usually are in the days of a window. `main`: read around it. */
export function isWindowKnown(point: ReadPoint, main: Between): boolean {
  const { window } = point;
  const span = { from: startOfDay(window.zone, window.from), to: startOfDay(window.zone, window.to + 1) };
  return point.registers.every((register) => {
    const { before, after } = register;
    const isFirst = before === null || before < window.from - pairDays;
    const isLast = window.isFollowed !== true && (after === null || after > window.to + pairDays);
    return isKnown(point, register, { span, main, isFirst, isLast });
  });
}

/** The same of a day beside the window, for one register whose nearest values around the day were read. */
export function isDayKnown(point: ReadPoint, field: string, day: Day): boolean {
  const { zone } = point.window;
  const span = { from: startOfDay(zone, day), to: startOfDay(zone, day + 1) };
  const main = { from: span.from - 2 * nearest, to: span.to + 2 * nearest };
  return isKnown(point, { field }, { span, main, isFirst: true, isLast: true });
}

interface Asked {
  readonly span: Between;
  readonly main: Between;
  /** No value before the span, or after it, can make a pair with one in it. */
  readonly isFirst: boolean;
  readonly isLast: boolean;
}

function isKnown(
  point: ReadPoint,
  { field }: Pick<Neighbours, "field">,
  { span, main, isFirst, isLast }: Asked,
): boolean {
  return point.ties.every((tie) => {
    const [from, to] = [Math.max(span.from, tie.from), Math.min(span.to, tie.to ?? Infinity)];
    if (from > to) return true;
    const nodes = nodesOfRegister(point, tie, field);
    const [first, last] = [firstNotBefore(nodes, from), firstNotBefore(nodes, to)];
    const isBound = (first > 0 || isFirst) && (last < nodes.length || isLast);
    return isBound && isUsualKnown(nodes, { from, to }, main);
  });
}

/**
 * Whether a change of values within a span decides only about days of the window, before it or after it: the nearest
 * values beside the span lie in the window, or there are none.
 */
export function isSettled(point: ReadPoint, changed: Between, side: "before" | "after"): boolean {
  const { window, registers, ties } = point;
  const start = startOfDay(window.zone, window.from);
  const end = startOfDay(window.zone, window.to + 1);
  return registers.every(({ field, before, after }) => {
    const isAlone =
      side === "before"
        ? before === null || before < window.from - usualDays
        : after === null || after > window.to + usualDays;
    return ties.every((tie) => {
      const nodes = nodesOfRegister(point, tie, field);
      const isNone =
        side === "before"
          ? (nodes[0]?.ts ?? Infinity) >= changed.from
          : (nodes.at(-1)?.ts ?? 0) <= changed.to;
      if (isNone && isAlone) return true;
      if (isOutside(tie, changed)) return true;
      return side === "before" ? isSettledBefore(nodes, changed, start) : isSettledAfter(nodes, changed, end);
    });
  });
}

/** The device measured the point so long before or after that its values decide nothing there. */
function isOutside(
  { from, to }: { readonly from: number; readonly to: number | null },
  changed: Between,
): boolean {
  const far = usualDays * 86_400;
  return changed.to < from - far || (to !== null && changed.from > to + far);
}

import { toLocal } from "#lib/format";
import { startOfMonth, startOfYear } from "#ui/dateRange";

/** A stretch of time in a lane; without an end it lasts. Epoch seconds. */
export interface Stretch {
  readonly from_ts: number;
  readonly to_ts: number | null;
}

export interface LaneScale {
  readonly from: number;
  readonly to: number;
}

const year = 365.25 * 86_400;
const month = year / 12;

/** From the first stretch or event to now, with a little space at both ends. */
export function scaleOf(
  stretches: readonly Stretch[],
  events: readonly { readonly ts: number }[],
  now: number,
): LaneScale {
  const starts = [...stretches.map(({ from_ts }) => from_ts), ...events.map(({ ts }) => ts)];
  const ends = [now, ...stretches.flatMap(({ to_ts }) => to_ts ?? []), ...events.map(({ ts }) => ts)];
  const first = Math.min(now - month, ...starts);
  const last = Math.max(...ends);
  const margin = (last - first) * 0.02;
  return { from: first - margin, to: last + margin };
}

/** Place of an instant in percent of the width. */
export function placeAt(at: number, { from, to }: LaneScale): number {
  return Math.min(100, Math.max(0, ((at - from) / (to - from)) * 100));
}

export interface LaneTick {
  readonly at: number;
  readonly place: number;
  readonly text: string;
}

const mostTicks = 9;

/** Starts of years, or of months of a short history, at even distances. */
export function ticksOf(scale: LaneScale, zone: string): readonly LaneTick[] {
  const span = scale.to - scale.from;
  const tick = (at: number, text: string): LaneTick => ({ at, place: placeAt(at, scale), text });
  const isInside = ({ at }: LaneTick) => at >= scale.from && at <= scale.to;
  if (span > 2.5 * year) {
    const step = [1, 2, 5, 10, 20, 50].find((each) => span / year / each < mostTicks) ?? 100;
    const first = new Date(toLocal(scale.from, zone) * 1000).getUTCFullYear();
    return range(Math.ceil(span / year) + 1)
      .map((by) => first + by)
      .filter((each) => each % step === 0)
      .map((each) => tick(startOfYear(scale.from, zone, each - first), String(each)))
      .filter(isInside);
  }
  const step = [1, 2, 3, 6].find((each) => span / month / each < mostTicks) ?? 12;
  return range(Math.ceil(span / month) + 2)
    .map((by) => startOfMonth(scale.from, zone, by))
    .filter((at) => new Date(toLocal(at, zone) * 1000).getUTCMonth() % step === 0)
    .map((at) => tick(at, monthText(at, zone)))
    .filter(isInside);
}

const range = (count: number) => Array.from({ length: count }, (_, at) => at);

function monthText(at: number, zone: string): string {
  const local = new Date(toLocal(at, zone) * 1000);
  return `${String(local.getUTCMonth() + 1).padStart(2, "0")}.${String(local.getUTCFullYear())}`;
}

/** Percent of the width that a caption of an event takes. */
const captionWidth = 14;

/**
 * Which events have a caption below them: the most important first (order of the input), as long as none
 * covers another.
 */
export function captioned(places: readonly number[]): readonly boolean[] {
  const taken: number[] = [];
  return places.map((place) => {
    const isFree = taken.every((other) => Math.abs(other - place) >= captionWidth);
    if (isFree) taken.push(place);
    return isFree;
  });
}

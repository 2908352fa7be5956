import { noise } from "./random.ts";
import { shapes, type LoadKind, type Shape } from "./shapes.ts";

/** Consumption as a pure function of time. */
export interface LoadOptions {
  readonly seed: number;
  readonly kind: LoadKind;
  /** Units of the counter per hour, averaged over years. */
  readonly meanPerHour: number;
  /** Local standard time against UTC; shapes follow the local day. */
  readonly utcOffsetSec?: number;
  /** A leak of some days in every quarter of a year: a constant flow that does not stop at night. */
  readonly hasLeaks?: boolean;
}

export interface Load {
  /** Units consumed since `origin` (negative before it); never decreases with time. */
  readonly drawnAt: (at: number) => number;
  /** Units per hour at this time: the slope of `drawnAt`. */
  readonly rateAt: (at: number) => number;
}

/** All counters are at their start value here: 2024-01-01 00:00 UTC. */
export const origin = 1_704_067_200;

const hour = 3600;
const day = 24 * hour;
const week = 7 * day;
const slot = 300;
/** The first Monday of epoch time. */
const firstMonday = 4 * day;
const year = 365.2425 * day;
/** Slow waves beside the year, in days, so that no two weeks are alike. */
const waves = [61, 23.7, 12.3];
const waveShare = 0.03;
const leak = { cycle: 90 * day, length: 5 * day, share: 0.6 };

/**
 * Builds a load. The consumption is exact at any time without summing from the beginning: the slow part
 * (season and waves) has a closed integral that fixes the total of every week; days, hours and five minutes
 * only divide that total by noisy weights. So history and live values continue each other, and the counter is
 * monotone whatever the noise.
 */
export function createLoad(options: LoadOptions): Load {
  const { seed, meanPerHour, utcOffsetSec = 0 } = options;
  const shape: Shape = shapes[options.kind];
  const slow = slowIntegral(seed, shape);
  const leaked = options.hasLeaks ? leakIntegral(seed) : () => 0;
  const weekOf = remember((index: number) => {
    const start = firstMonday + index * week;
    return {
      base: slow(start),
      total: slow(start + week) - slow(start),
      days: dayShares(seed, shape, index),
    };
  });
  const hoursOf = remember((index: number) => hourShares(seed, shape, index));
  const slotsOf = remember((index: number) => slotShares(seed, shape, index));

  /** Hours of mean load from the first Monday to this local time. */
  const meanHours = (local: number): number => {
    const since = local - firstMonday;
    const { base, total, days } = weekOf(Math.floor(since / week));
    const dayIndex = Math.floor(since / day);
    const hourIndex = Math.floor(since / hour);
    const hours = hoursOf(dayIndex);
    const ofDay = span(days, modulo(dayIndex, 7));
    const ofHour = span(hours, modulo(hourIndex, 24));
    const into = modulo(since, hour) / slot;
    const ofSlot = span(slotsOf(hourIndex), Math.floor(into));
    const withinHour = ofSlot.before + ofSlot.share * (into % 1);
    const withinDay = ofHour.before + ofHour.share * withinHour;
    return base + total * (ofDay.before + ofDay.share * withinDay);
  };
  const atOrigin = meanHours(origin + utcOffsetSec);
  const leakedAtOrigin = leaked(origin);
  const drawnAt = (at: number): number =>
    meanPerHour *
    (meanHours(at + utcOffsetSec) - atOrigin + (leak.share * (leaked(at) - leakedAtOrigin)) / hour);
  return {
    drawnAt,
    rateAt(at) {
      const start = Math.floor(at / slot) * slot;
      return ((drawnAt(start + slot) - drawnAt(start)) * hour) / slot;
    },
  };
}

/** The load of a meter in front of others: what they draw, each by its weight, losses included. */
export function sumOfLoads(parts: readonly { readonly load: Load; readonly weight: number }[]): Load {
  const sum = (of: keyof Load) => (at: number) =>
    parts.reduce((total, { load, weight }) => total + weight * load[of](at), 0);
  return { drawnAt: sum("drawnAt"), rateAt: sum("rateAt") };
}

/**
 * Integral of 1 + season + waves over time, in hours; its slope is positive because the shares sum to less
 * than 1.
 */
function slowIntegral(seed: number, shape: Shape): (local: number) => number {
  const terms = [
    // The coldest days come three weeks after New Year.
    { period: year, share: shape.season, phase: -Math.PI * 2 * (21 / 365) },
    ...waves.map((days, at) => ({
      period: days * day,
      share: waveShare * (1 - Math.abs(shape.season)),
      phase: noise(seed, at) * Math.PI * 2,
    })),
  ];
  return (local) => {
    let integral = local;
    for (const { period, share, phase } of terms)
      integral += ((share * period) / (2 * Math.PI)) * Math.sin((local * 2 * Math.PI) / period + phase);
    return integral / hour;
  };
}

/** Seconds of leakage until this time. */
function leakIntegral(seed: number): (at: number) => number {
  const start = noise(seed, 77) * (leak.cycle - leak.length);
  return (at) => {
    const cycles = Math.floor(at / leak.cycle);
    return cycles * leak.length + Math.min(leak.length, Math.max(0, at - cycles * leak.cycle - start));
  };
}

function dayShares(seed: number, shape: Shape, weekIndex: number): Float64Array {
  return cumulate(7, (at) => (shape.week[at] ?? 1) * stray(seed ^ 0xd1, weekIndex * 7 + at, shape.noise.day));
}

function hourShares(seed: number, shape: Shape, dayIndex: number): Float64Array {
  const weights = modulo(dayIndex, 7) >= 5 ? shape.weekend : shape.workday;
  return cumulate(24, (at) => (weights[at] ?? 1) * stray(seed ^ 0xb2, dayIndex * 24 + at, shape.noise.hour));
}

function slotShares(seed: number, shape: Shape, hourIndex: number): Float64Array {
  return cumulate(12, (at) => stray(seed ^ 0x53, hourIndex * 12 + at, shape.noise.slot));
}

const stray = (seed: number, at: number, share: number) => 1 + share * (2 * noise(seed, at) - 1);

/** Shares that sum to 1, as sums up to each: [0, share 0, share 0 + 1, ..., 1]. */
function cumulate(count: number, weight: (at: number) => number): Float64Array {
  const sums = new Float64Array(count + 1);
  for (let at = 0; at < count; at++) sums[at + 1] = (sums[at] ?? 0) + weight(at);
  const total = sums[count] ?? 1;
  for (let at = 0; at <= count; at++) sums[at] = (sums[at] ?? 0) / total;
  return sums;
}

function span(sums: Float64Array, at: number): { before: number; share: number } {
  const before = sums[at] ?? 0;
  return { before, share: (sums[at + 1] ?? 1) - before };
}

const modulo = (value: number, by: number) => ((value % by) + by) % by;

/** Caches the last two results: times are requested in order, and a slope crosses a boundary. */
function remember<Value>(make: (index: number) => Value): (index: number) => Value {
  let kept: readonly { index: number; value: Value }[] = [];
  return (index) => {
    const known = kept.find((each) => each.index === index);
    if (known) return known.value;
    const value = make(index);
    kept = [{ index, value }, ...kept.slice(0, 1)];
    return value;
  };
}

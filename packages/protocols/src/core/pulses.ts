import { withoutNoise } from "@metrum/vocabulary";
import type { PulseScale } from "./driver.ts";

/** All supported pulse counters have 32-bit registers. */
const capacity = 2 ** 32;

/**
 * Reading of a counter: pulses x impulse weight + starting value, in the unit of the weight, rounded to 6
 * decimals.
 */
export function fromPulses(pulses: number, scale: PulseScale): number {
  return withoutNoise(pulses * scale.impulseWeight + scale.startingValue);
}

/**
 * Pulses that a counter shows at this reading, the reverse of `fromPulses`: whole, from 0 to 2^32 - 1,
 * rolling over.
 */
export function toPulses(reading: number, scale: PulseScale): number {
  const pulses = Math.max(0, Math.round(withoutNoise((reading - scale.startingValue) / scale.impulseWeight)));
  return Number.isFinite(pulses) ? pulses % capacity : 0;
}

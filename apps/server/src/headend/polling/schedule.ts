/** Devices of one interval are spread over this share of it, so that they are not all polled at once. */
const maxSpreadSec = 300;
/**
 * A silent device is polled ever less often, but at least this often (or at its own interval, when that is
 * longer).
 */
export const slowestSec = 900;
/** Failures without an effect on the interval. */
const patience = 2;

export interface Scheduled {
  readonly id: number;
  readonly intervalSec: number;
  readonly failures: number;
  /** By how many seconds its slots come after the full interval. */
  readonly shiftSec?: number;
}

/** Second within its interval at which a device is polled: constant, and different from its neighbours'. */
export function phaseOf({ id, intervalSec }: Pick<Scheduled, "id" | "intervalSec">): number {
  return (Math.imul(id, 0x9e3779b1) >>> 0) % Math.min(intervalSec, maxSpreadSec);
}

/**
 * The first slot after `now`. Slots are multiples of the interval since the epoch, plus the shift of the
 * group and the device's phase, so a slow poll does not delay the next one, and after a downtime of any length exactly one slot is due. A
 * silent device skips slots: 2, 4, 8 ...
 */
export function nextSlot(device: Scheduled, now: number): number {
  const { intervalSec, failures } = device;
  const phase = (phaseOf(device) + (device.shiftSec ?? 0)) % intervalSec;
  const next = (Math.floor((now - phase) / intervalSec) + 1) * intervalSec + phase;
  const slotsAhead = 2 ** Math.min(20, Math.max(0, failures - patience)) - 1;
  const most = Math.max(0, Math.floor(slowestSec / intervalSec) - 1);
  return next + Math.min(slotsAhead, most) * intervalSec;
}

/** Lower numbers run first: responsive devices before silent ones. */
export function pollPriority(failures: number): number {
  return Math.min(failures, 20);
}

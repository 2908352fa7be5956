const pattern = /^(\d{4})-(\d{2})-(\d{2}) (\d{2}):(\d{2})(?::(\d{2}))?$/;

/** A time of a device's clock ("YYYY-MM-DD HH:mm[:ss]") as seconds of that clock. Errors: RangeError. */
export function secondsOfLocal(local: string): number {
  const parts = pattern.exec(local)?.slice(1);
  if (!parts) throw new RangeError("not a local time");
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = parts.map((part) =>
    Number(part || 0),
  );
  return Date.UTC(year, month - 1, day, hour, minute, second) / 1000;
}

/** The same time some seconds later, with seconds. */
export function laterLocal(local: string, seconds: number): string {
  return new Date((secondsOfLocal(local) + seconds) * 1000).toISOString().slice(0, 19).replace("T", " ");
}

/** Seconds of reading and rounding that no measurement explains. */
const clockSec = 5;

/**
 * Whether the difference of a clock from the wanted time, seconds, is explained by setting and reading it: by the
 * resolution of a clock without seconds, half of it each, and by the time that the dialogue took.
 */
export const isClockSet = (
  offSec: number,
  { tookSec, stepSec }: { readonly tookSec: number; readonly stepSec: number },
): boolean => Math.abs(offSec) <= clockSec + Math.max(0, tookSec) + (stepSec > 1 ? stepSec : 0);

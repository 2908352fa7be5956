import type { Incoming, Values } from "../rows/index.ts";

/** Whoever decided that values count, and why. */
export interface Vouching {
  readonly userId: number;
  readonly reason: string;
}

/**
 * A reading that a person vouches for: its values count from now on, whatever the readings around them say. Author and
 * reason stay in the history of the row, with what stood there before.
 */
export const vouched = (reading: Incoming, { userId, reason }: Vouching): Incoming => ({
  ...reading,
  status: "corrected",
  isReleased: true,
  isVerdict: true,
  userId,
  reason,
});

/** Values of a reading that other readings contradict are suspect: they count for nothing until a person vouches for them. */
export function withDoubts(reading: Incoming, doubted: ReadonlySet<string>, reason: string): Incoming[] {
  const values = (isDoubted: boolean): Values =>
    Object.fromEntries(Object.entries(reading.values).filter(([name]) => doubted.has(name) === isDoubted));
  const [trusted, suspect] = [values(false), values(true)];
  return [
    ...(Object.keys(trusted).length === 0 ? [] : [{ ...reading, values: trusted }]),
    ...(Object.keys(suspect).length === 0
      ? []
      : [{ ...reading, values: suspect, status: "suspect" as const, reason }]),
  ];
}

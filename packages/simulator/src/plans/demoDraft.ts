import type { PlannedDevice } from "./plan.ts";

/** A device of the demonstration before its seed and its faults are assigned. */
export interface Draft extends Pick<
  PlannedDevice,
  "modelId" | "name" | "place" | "insideAddr" | "load" | "meanPerHour" | "key" | "authenticationKey"
> {
  readonly gateway?: string;
  readonly baseStation?: string;
  readonly deviceID: string;
  readonly intervalSec?: number;
  readonly impulseWeight?: number;
  readonly start: number;
}

/** The value at this index of a repeating list. Errors: Error for an empty list. */
export const pick = <Value>(list: readonly Value[], at: number): Value => {
  const value = list[at % list.length];
  if (value === undefined) throw new Error("nothing to pick from");
  return value;
};

/** A serial number: the digits of a series, and the place in it. */
export const serial = (prefix: number, at: number, digits = 8): string =>
  String(prefix).padEnd(digits - 3, "0") + String(at + 1).padStart(3, "0");

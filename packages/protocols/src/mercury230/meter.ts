import type { FieldName } from "@metrum/vocabulary";
import type { InstantName } from "./requests.ts";

/** Properties that distinguish meters of the family. */
export interface MercuryOptions {
  /** Tariffs that are read in addition to the sum; default 4. */
  readonly tariffs?: 1 | 2 | 3 | 4;
  readonly phases?: 1 | 3;
  /** Counters of the meter: active import always; A- of two-way meters, R+ and R- of reactive ones. */
  readonly keeps?: readonly ("aMinus" | "rPlus" | "rMinus")[];
  /** Passwords are sent as characters (31 for "1") and not as numbers. */
  readonly isPasswordAscii?: boolean;
  /** Standard time of the meter against UTC if the device has none; default 180 (Moscow). */
  readonly utcOffsetMinutes?: number;
  /**
   * The season byte is valid: summer time is an hour ahead. Default off: Russian meters keep standard time
   * regardless of it.
   */
  readonly hasSummerTime?: boolean;
  /** The meter stores a power profile in a ring of this size. */
  readonly profile?: { readonly memoryBytes: 65_536 | 131_072; readonly constant?: number };
}

/** The options with defaults applied. */
export type MercuryMeter = Required<Omit<MercuryOptions, "profile">> & Pick<MercuryOptions, "profile">;

/** Instantaneous values of a meter with this many phases. */
export const instantsOf = ({ phases }: Pick<MercuryMeter, "phases">): InstantName[] =>
  phases === 3
    ? ["voltage", "current", "cos", "frequency", "angles", "power_active", "power_reactive", "power_apparent"]
    : ["voltage", "current", "cos", "frequency", "power_active", "power_reactive", "power_apparent"];

/** Vocabulary fields in the order in which the meter sends their values. */
export function instantFields(name: InstantName, phases: 1 | 3): readonly (FieldName | undefined)[] {
  switch (name) {
    case "voltage":
      return phases === 3 ? ["voltage1", "voltage2", "voltage3"] : ["voltage1"];
    case "current":
      return phases === 3 ? ["current1", "current2", "current3"] : ["current1"];
    case "cos":
      return phases === 3 ? ["cos0", "cos1", "cos2", "cos3"] : ["cos0"];
    case "frequency":
      return ["Frequency"];
    case "angles":
      return ["coruu1", "coruu2"];
    default:
      return phases === 3 ? [name, `${name}1`, `${name}2`, `${name}3`] : [name];
  }
}

/** Epoch seconds UTC of a moment of the meter's clock. */
export const toUtc = (meter: MercuryMeter, local: number, isWinter: boolean): number =>
  local - meter.utcOffsetMinutes * 60 - (meter.hasSummerTime && !isWinter ? 3600 : 0);

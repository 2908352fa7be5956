import type { BlockCheck } from "./message.ts";
import type { IecPlan } from "./readings.ts";

/** A family of meters that speak IEC 62056-21, as its data sheet describes it. */
export interface IecOptions extends Omit<IecPlan, "utcOffsetMinutes"> {
  /**
   * "readout": everything comes in one block. Otherwise the values to request in programming mode, each with
   * R1.
   */
  readonly access: "readout" | { readonly reads: readonly string[]; readonly password?: string };
  /** Three letters and a type for the simulator. */
  readonly manufacturer: string;
  readonly type: string;
  readonly fixedBaud?: number;
  /** As in IecLine. */
  readonly check?: BlockCheck;
  /** As in IecLine. */
  readonly hasBareErrors?: boolean;
  readonly evenParity?: boolean;
  /** The meter's standard time against UTC if the device has none; default 0. */
  readonly utcOffsetMinutes?: number;
}

import type { DeviceAddress, MeterHistory, MeterState } from "../../core/driver.ts";
import type { DlmsOptions } from "../options.ts";

/** An entry that a simulated journal holds. */
export interface SimulatedEvent {
  readonly journal: string;
  readonly at: number;
  readonly code: number;
}

/** What a simulated meter does in its own way. */
export interface Manners {
  /** Bytes of information that it takes and sends in one HDLC frame; 128 when left out. */
  readonly maxInfo?: number;
  /** Bytes of a message that it takes; 1024 when left out. */
  readonly maxPdu?: number;
  /** How rows of profiles are sent: whole, with null-data for what repeats, or as a compact array. */
  readonly rows?: "whole" | "sparse" | "compact";
  readonly events?: readonly SimulatedEvent[];
  /** Capture period that profiles tell (attribute 4), whatever period they keep: 0 for those that are captured from outside. */
  readonly capturePeriod?: number;
  /** Invocation counter it begins with. */
  readonly counter?: number;
}

/** What a simulated meter is made of. */
export interface SimulatedMeter {
  readonly options: DlmsOptions;
  readonly device: DeviceAddress;
  readonly state: MeterState;
  readonly now: () => number;
  readonly history?: MeterHistory | undefined;
  readonly manners?: Manners;
}

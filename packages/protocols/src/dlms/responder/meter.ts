import type { DeviceAddress, MeterHistory, MeterState } from "../../core/driver.ts";
import type { TakeOrder } from "../../core/orders.ts";
import type { DlmsOptions } from "../options.ts";

/** An entry of a simulated journal. */
export interface SimulatedEvent {
  readonly journal: string;
  readonly at: number;
  readonly code: number;
}

/** Individual behaviour of a simulated meter. */
export interface Manners {
  /** Information bytes that it accepts and sends in one HDLC frame; default 128. */
  readonly maxInfo?: number;
  /** Message size that it accepts; default 1024. */
  readonly maxPdu?: number;
  /** How rows of profiles are sent: whole, with null-data for what repeats, or as a compact array. */
  readonly rows?: "whole" | "sparse" | "compact";
  readonly events?: readonly SimulatedEvent[];
  /** Capture period reported by profiles (attribute 4), whatever the real one: 0 for external triggers. */
  readonly capturePeriod?: number;
  /** Initial invocation counter. */
  readonly counter?: number;
}

/** Parts of a simulated meter. */
export interface SimulatedMeter {
  readonly options: DlmsOptions;
  readonly device: DeviceAddress;
  readonly state: MeterState;
  readonly now: () => number;
  readonly history?: MeterHistory | undefined;
  readonly manners?: Manners;
  readonly takeOrder?: TakeOrder | undefined;
}

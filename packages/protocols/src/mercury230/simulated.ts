import type { DeviceAddress, MeterHistory, MeterState } from "../core/driver.ts";
import type { TakeOrder } from "../core/orders.ts";
import type { MercuryMeter } from "./meter.ts";

/** A simulated meter. Both levels have the password of the device, or the manufacturer's default. */
export interface SimulatedMercury {
  readonly meter: MercuryMeter;
  readonly device: DeviceAddress;
  readonly state: MeterState;
  readonly now: () => number;
  /** Values of the meter at a given time, epoch seconds UTC: the source of profile and past consumption. */
  readonly history?: MeterHistory;
  readonly takeOrder?: TakeOrder;
}

/** State of a simulated meter between requests. */
export interface Memory {
  level: 0 | 1 | 2;
  heardAt: number;
  clockShift: number;
  correctedDay: number | undefined;
  isLoadOn: boolean;
  isLimitOn: boolean;
  limit: number;
}

/** A status as the body of an answer. */
export const status = (code: number): number[] => [code];

/** The clock of the simulated meter. */
export const localNow = ({ meter, now }: SimulatedMercury, memory: Memory): number =>
  Math.floor(now()) + meter.utcOffsetMinutes * 60 + memory.clockShift;

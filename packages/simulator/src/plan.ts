import type { LoadKind } from "./shapes.ts";

/** A modem or converter of a park. */
export interface PlannedGateway {
  readonly key: string;
  readonly modelId: number;
  readonly name: string;
  readonly place: string;
  /** IMEI of a modem that dials in, serial number of a converter. */
  readonly deviceID: string;
  /** TCP port on which a converter listens; absent for a modem. 0: any free one. */
  readonly port?: number;
}

export interface PlannedBaseStation {
  readonly key: string;
  readonly modelId: number;
  readonly name: string;
  readonly deviceID: string;
}

/** A virtual metering device: what its row in the database says, and how it lives. */
export interface PlannedDevice {
  readonly modelId: number;
  /** Key of the gateway that carries it; absent for a device that speaks by radio. */
  readonly gateway?: string;
  readonly baseStation?: string;
  readonly insideAddr: string;
  readonly deviceID: string;
  readonly name: string;
  readonly place: string;
  readonly intervalSec: number;
  readonly seed: number;
  readonly load: LoadKind;
  /** Units of the main counter an hour, averaged over years. */
  readonly meanPerHour: number;
  /** Main counter at the origin of the load model. */
  readonly start: number;
  readonly impulseWeight: number;
  readonly startingValue: number;
  readonly hasLeaks: boolean;
  /** Seconds a day by which its clock runs fast. */
  readonly clockDriftPerDay: number;
}

export interface Plan {
  readonly gateways: readonly PlannedGateway[];
  readonly baseStations: readonly PlannedBaseStation[];
  readonly devices: readonly PlannedDevice[];
}

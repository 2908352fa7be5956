import type { LoadKind } from "./shapes.ts";

/** What is heard on a line whose meters speak by themselves: the words of the gateway's row. */
export interface PlannedListening {
  /** Telegrams of one P1 port, or lines of a receiver of wireless M-Bus: rtl-wmbus, or culfw when it must be greeted. */
  readonly to: "p1" | "wmbus_lines";
  /** What the receiver must be told first, in hexadecimal. */
  readonly hello?: string;
}

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
  readonly listens?: PlannedListening;
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
  /** Key of the gateway that carries or hears it; absent for a device of a network server. */
  readonly gateway?: string;
  readonly baseStation?: string;
  readonly insideAddr: string;
  readonly deviceID: string;
  /** AES-128 key of a radio meter that encrypts, in hexadecimal. */
  readonly key?: string;
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

import type { LoadKind } from "../shapes.ts";

/** Kind of unsolicited telegrams on a line, spelt as in the gateway's row. */
export interface PlannedListening {
  /**
   * Telegrams of one P1 port, or lines of a receiver of wireless M-Bus: rtl-wmbus, or culfw if it needs a
   * start-up command.
   */
  readonly to: "p1" | "wmbus_lines";
  /** Start-up command of the receiver, in hexadecimal. */
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
  /** TCP port of the control of a gateway that has one; 0: any free one. Absent: it cannot be controlled. */
  readonly controlPort?: number;
  readonly listens?: PlannedListening;
  /** DLMS messages travel in the wrapper of TCP, as at a meter with a network port of its own. */
  readonly isWrapped?: true;
}

export interface PlannedBaseStation {
  readonly key: string;
  readonly modelId: number;
  readonly name: string;
  readonly deviceID: string;
}

/** A meter behind a feeder meter; `weight`: what the feeder counts for a unit of it, losses included. */
export interface PlannedBranch extends Pick<PlannedDevice, "seed" | "load" | "meanPerHour" | "hasLeaks"> {
  readonly weight: number;
}

/** A virtual metering device: its row in the database, and its behaviour. */
export interface PlannedDevice {
  readonly modelId: number;
  /** Key of the gateway that carries or receives it; absent for a device of a network server. */
  readonly gateway?: string;
  readonly baseStation?: string;
  readonly insideAddr: string;
  readonly deviceID: string;
  /** AES-128 key of a device that encrypts, in hexadecimal. */
  readonly key?: string;
  /** Second key of a DLMS meter that is changed only by a client with keys. */
  readonly authenticationKey?: string;
  readonly name: string;
  readonly place: string;
  readonly intervalSec: number;
  readonly seed: number;
  readonly load: LoadKind;
  /** Units of the main counter per hour, averaged over years. */
  readonly meanPerHour: number;
  /** Main counter at the origin of the load model. */
  readonly start: number;
  readonly impulseWeight: number;
  readonly startingValue: number;
  readonly hasLeaks: boolean;
  /** Seconds per day by which its clock runs fast. */
  readonly clockDriftPerDay: number;
  /** The meters behind it: it counts what they draw instead of a load of its own. */
  readonly branches?: readonly PlannedBranch[];
}

export interface Plan {
  readonly gateways: readonly PlannedGateway[];
  readonly baseStations: readonly PlannedBaseStation[];
  readonly devices: readonly PlannedDevice[];
}

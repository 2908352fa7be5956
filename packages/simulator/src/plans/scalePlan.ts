import { imeiOf } from "../imei.ts";
import { seedOf } from "../meter.ts";
import type { Plan, PlannedDevice } from "./plan.ts";
import { noise } from "../random.ts";

/** Composition of a large park: `perGateway` devices behind each modem; 0 for LoRaWAN devices. */
export const mixes = {
  electricity: {
    modelId: 101,
    perGateway: 10,
    load: "home",
    meanPerHour: 1,
    impulseWeight: 1,
    intervalSec: 60,
  },
  modems: { modelId: 102, perGateway: 1, load: "home", meanPerHour: 0.6, impulseWeight: 1, intervalSec: 60 },
  water: {
    modelId: 301,
    perGateway: 0,
    load: "home",
    meanPerHour: 0.02,
    impulseWeight: 0.001,
    intervalSec: 3600,
  },
} as const satisfies Record<string, Mix>;

interface Mix extends Pick<
  PlannedDevice,
  "modelId" | "load" | "meanPerHour" | "impulseWeight" | "intervalSec"
> {
  readonly perGateway: number;
}

export type MixName = keyof typeof mixes;

const modemModel = 601;
/** IMEIs below this number belong to the demonstration. */
const firstImei = 1000;

export interface ScaleOptions {
  readonly count: number;
  readonly mix: MixName;
  readonly seed: number;
  /** Number of the first gateway, or of the first LoRaWAN device. */
  readonly first?: number;
}

/** Any number of equal devices, for load tests. Numbers are consecutive, so a script can register them. */
export function scalePlan({ count, mix, seed, first = 0 }: ScaleOptions): Plan {
  const kind: Mix = mixes[mix];
  const gateways = kind.perGateway === 0 ? 0 : Math.ceil(count / kind.perGateway);
  return {
    baseStations: [],
    gateways: Array.from({ length: gateways }, (_, at) => ({
      key: `g${first + at}`,
      modelId: modemModel,
      name: `GW-${first + at}`,
      place: "",
      deviceID: imeiOf(firstImei + first + at),
    })),
    devices: Array.from({ length: count }, (_, at) => device(kind, { at, first, seed })),
  };
}

function device(kind: Mix, of: { at: number; first: number; seed: number }): PlannedDevice {
  const { perGateway, ...rest } = kind;
  const number = perGateway === 0 ? of.first + of.at : of.first * perGateway + of.at;
  const seed = seedOf(of.seed, number);
  return {
    ...rest,
    ...(perGateway === 0 ? {} : { gateway: `g${of.first + Math.floor(of.at / perGateway)}` }),
    insideAddr: String(perGateway === 0 ? 1 : 1 + (of.at % perGateway)),
    deviceID: perGateway === 0 ? `3b3b${number.toString(16).padStart(12, "0")}` : String(70_000_000 + number),
    name: `V-${number}`,
    place: "",
    seed,
    start: Math.round(noise(seed, 1) * 5000),
    startingValue: 0,
    hasLeaks: false,
    clockDriftPerDay: 0,
  };
}

import { modelById, type MeterModel } from "@metrum/catalogue";
import type { DeviceAddress, MeterState, PulseScale, Reading } from "@metrum/protocols/core";
import { converse } from "@metrum/protocols/core";
import { fieldOf, fields, isFieldName, type FieldName } from "@metrum/vocabulary";
import { createLoad, origin, sumOfLoads, type Load } from "./load.ts";
import { createOrderBook, type OrderBook } from "./orderBook.ts";
import type { PlannedBranch, PlannedDevice } from "./plans/plan.ts";
import { mix, noise } from "./random.ts";

/** A virtual meter: its values at any time. */
export interface Meter {
  readonly device: PlannedDevice;
  readonly model: MeterModel;
  readonly address: DeviceAddress & PulseScale;
  readonly stateAt: (at: number) => MeterState;
  /** Whether it is unreachable: power cut, lost line. A function of time, so history has the same gaps. */
  readonly isSilentAt: (at: number) => boolean;
  /** Time of its own clock at this instant, before orders to correct it. */
  readonly clockAt: (at: number) => number;
  readonly orders: OrderBook;
}

const day = 86_400;
/** Clocks are set at the first of these periods; between them they drift. */
const clockCheckSec = 30 * day;
const outage = { blockSec: 12 * 3600, chance: 0.012, longestSec: 5 * 3600 };

/** Errors: Error when the catalogue has no such meter. */
export function createMeter(device: PlannedDevice, utcOffsetSec = 0, isWrapped = false): Meter {
  const model = modelById(device.modelId);
  if (model?.kind !== "meter") throw new Error(`the catalogue has no meter ${String(device.modelId)}`);
  const load = loadOf(device, utcOffsetSec);
  const orders = createOrderBook(load);
  return {
    device,
    model,
    address: {
      insideAddr: device.insideAddr,
      deviceID: device.deviceID,
      impulseWeight: device.impulseWeight,
      startingValue: device.startingValue,
      utcOffsetMinutes: utcOffsetSec / 60,
      ...keysOf(device),
      ...(isWrapped ? { isWrapped } : {}),
    },
    stateAt: (at) => (field) => valueOf({ device, model, load: orders.passed, at, utcOffsetSec }, field),
    isSilentAt: (at) => isSilent(device.seed, at),
    clockAt: (at) => at + Math.round((device.clockDriftPerDay * (at % clockCheckSec)) / day),
    orders,
  };
}

function loadOf({ branches, ...own }: PlannedDevice, utcOffsetSec: number): Load {
  const ofOne = ({ seed, load, meanPerHour, hasLeaks }: Omit<PlannedBranch, "weight">): Load =>
    createLoad({ seed, kind: load, meanPerHour, utcOffsetSec, hasLeaks });
  if (branches === undefined) return ofOne(own);
  return sumOfLoads(branches.map((branch) => ({ load: ofOne(branch), weight: branch.weight })));
}

const keysOf = ({ key, authenticationKey }: PlannedDevice): Pick<DeviceAddress, "keys"> =>
  key === undefined
    ? {}
    : {
        keys: {
          encryption: key,
          ...(authenticationKey === undefined ? {} : { authentication: authenticationKey }),
        },
      };

function isSilent(seed: number, at: number): boolean {
  const block = Math.floor(at / outage.blockSec);
  if (noise(seed ^ 0x0ff, block) >= outage.chance) return false;
  const length = outage.longestSec * noise(seed ^ 0x1ff, block);
  const start = noise(seed ^ 0x2ff, block) * (outage.blockSec - length);
  const into = at - block * outage.blockSec;
  return into >= start && into < start + length;
}

interface Moment {
  readonly device: PlannedDevice;
  readonly model: MeterModel;
  readonly load: Load;
  readonly at: number;
  readonly utcOffsetSec: number;
}

/** Smooth noise between -1 and 1 that changes within `everySec`. */
function waver(seed: number, at: number, everySec: number): number {
  const index = Math.floor(at / everySec);
  const part = (at / everySec) % 1;
  const from = noise(seed, index);
  return 2 * (from + (noise(seed, index + 1) - from) * part) - 1;
}

/**
 * Export and reactive energy derived from the consumed active energy: consistent between counters and
 * profiles.
 */
const energyShares = { negative: 0.002, reactive: 0.34, reactiveNegative: 0.003 } as const;

/** A counter and those of its tariffs: 1 is the day's, 2 the night's. */
const tariffShares = <Name extends "tariff" | `tariff_${"negative" | "reactive" | "reactive_negative"}`>(
  name: Name,
  share: number,
) => ({ [`${name}0`]: share, [`${name}1`]: share * 0.68, [`${name}2`]: share * 0.32 });

/** Share of the main counter that each further counter follows. */
const counterShares: Readonly<Partial<Record<FieldName, number>>> = {
  in1: 1,
  ...tariffShares("tariff", 1),
  ...tariffShares("tariff_negative", energyShares.negative),
  ...tariffShares("tariff_reactive", energyShares.reactive),
  ...tariffShares("tariff_reactive_negative", energyShares.reactiveNegative),
  V_in: 42,
  M_in: 41.2,
};

/** Values by field. Fields without a rule stay 0, as on a meter whose input is not connected. */
function valueOf(moment: Moment, name: string): number {
  if (!isFieldName(name)) return 0;
  const { model, at } = moment;
  if (fieldOf(name, model.resource).kind === "counter") return counterOf(moment, name);
  const { seed } = moment.device;
  const climate = outdoor(moment);
  switch (name) {
    case "temperature":
      return model.resource === "sensor" ? 21 + 2.5 * waver(seed, at, 5400) : 9 + climate * 0.25;
    case "Humidity":
      return 38 + 9 * waver(seed ^ 3, at, 7200);
    case "battery":
      return Math.max(5, Math.round(100 - ((at - origin) / day / 365) * 9 - noise(seed, 9) * 6));
    case "rssi":
      return Math.round(-92 + 12 * waver(seed ^ 5, at, 3600));
    case "snr":
      return 6 + 4 * waver(seed ^ 6, at, 3600);
    default:
      return model.resource === "electricity" ? electrical(moment, name) : hydraulic(moment, name);
  }
}

function counterOf({ device, model, load, at }: Moment, name: FieldName): number {
  if (name === "working_time") return (at - origin) / 3600 + 2000;
  const isHeat = model.resource === "heat";
  const share = isHeat && name === "tariff1" ? 1 : (counterShares[name] ?? 0);
  const value = Math.max(0, device.start + load.drawnAt(at)) * share;
  const capacity = model.capacities?.[name] ?? model.counterCapacity;
  return capacity ? value % capacity : value;
}

/** Distribution of a three-phase load, uneven as in practice. */
const phaseShares = [1, 0.36, 0.33, 0.31];

/** Average powers of a profile, in parts of the active power drawn. */
const intervalShares = {
  active: { forward: 1, reverse: energyShares.negative },
  reactive: { forward: energyShares.reactive, reverse: energyShares.reactiveNegative },
} as const;

function electrical(moment: Moment, name: FieldName): number {
  const { device, load, at, model } = moment;
  const { seed } = device;
  const { phase = 0, unit } = fieldOf(name, model.resource);
  const isSinglePhase = !model.fields.includes("voltage2");
  const share = isSinglePhase ? 1 : (phaseShares[phase] ?? 1);
  const power = load.rateAt(at) * share * (1 + 0.02 * waver(seed ^ phase, at, 30));
  const cos = 0.945 + 0.02 * waver(seed ^ 0x40 ^ phase, at, 900);
  const voltage = 228 + 5 * waver(seed ^ 0x50 ^ phase, at, 1800) + waver(seed ^ 0x51 ^ phase, at, 60);
  switch (unit) {
    case "V":
      return voltage;
    case "A":
      return (power * 1000) / (voltage * cos);
    case "Hz":
      return 50 + 0.03 * waver(7, at, 20);
    case "degree":
      return 120 + 0.4 * waver(seed ^ (name === "coruu1" ? 1 : 2), at, 600);
    case "none":
      return name === "status_code" ? 0 : cos;
    default:
      return powerAt(name, power, cos);
  }
}

function powerAt(name: FieldName, power: number, cos: number): number {
  const { energy, direction, kind } = fields[name];
  if (energy === undefined) return 0;
  if (kind === "interval")
    return power * intervalShares[energy === "reactive" ? "reactive" : "active"][direction ?? "forward"];
  if (energy === "apparent") return power / cos;
  return energy === "reactive" ? power * Math.tan(Math.acos(cos)) : power;
}

function hydraulic(moment: Moment, name: FieldName): number {
  const { device, load, at, model } = moment;
  const cold = Math.max(0, 18 - outdoor(moment)) / 58;
  const supply = 58 + 42 * cold + 1.5 * waver(device.seed ^ 0x60, at, 3600);
  const delta = 14 + 16 * cold + waver(device.seed ^ 0x61, at, 3600);
  switch (name) {
    case "T_in":
      return supply;
    case "T_out":
      return supply - delta;
    case "T_delta":
      return delta;
    case "heat_power":
      return load.rateAt(at);
    case "Q_in":
      return load.rateAt(at) * (model.resource === "heat" ? (counterShares.V_in ?? 0) : 1);
    case "pressure":
      return 4.6 + 0.4 * waver(device.seed ^ 0x62, at, 1800);
    default:
      return 0;
  }
}

/** Outdoor temperature: hard winters, warm summers, cool nights; the same for the whole park. */
function outdoor({ at, utcOffsetSec }: Moment): number {
  const local = at + utcOffsetSec;
  const season = Math.cos((local / (365.2425 * day) - 21 / 365) * 2 * Math.PI);
  const night = Math.cos((local / day - 5 / 24) * 2 * Math.PI);
  return 1 - 21 * season - 5 * night + 4 * waver(11, local, 2 * day);
}

/** Result of a poll, or an uplink, of this meter at this time: rounded as by its protocol. */
export function readingsOf(meter: Meter, at: number): Reading[] {
  const { driver } = meter.model;
  const state = meter.stateAt(at);
  if (driver.kind === "uplink") {
    const { fport, payload } = driver.encode(meter.address, state, at);
    return driver.decode(payload, fport, meter.address);
  }
  const responder = driver.respond(meter.address, state, () => meter.clockAt(at));
  return converse(driver.poll({ kind: "now" }, meter.address), responder);
}

/** A seed for the device at this place of a park. */
export const seedOf = (parkSeed: number, at: number): number => mix(parkSeed, at + 1);

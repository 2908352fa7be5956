import { imeiOf } from "../imei.ts";
import { keyOf, keyPair } from "../keys.ts";
import { seedOf } from "../meter.ts";
import type { Plan, PlannedDevice, PlannedGateway, PlannedListening } from "./plan.ts";
import { noise } from "../random.ts";

/** A group of equal devices of a large park. */
interface Kind extends Pick<PlannedDevice, "modelId" | "load" | "meanPerHour" | "impulseWeight"> {
  readonly key: string;
  /** Share of all devices. */
  readonly share: number;
  /** Connection: behind a modem that dials in, a converter that listens, or by LoRaWAN. */
  readonly by: "modem" | "converter" | "radio";
  readonly gatewayModelId?: number;
  /** They send unsolicited telegrams on the line of their gateway. */
  readonly listens?: PlannedListening;
  readonly isSealed?: true;
  /** They are changed only by a client with two keys. */
  readonly isKeyed?: true;
  readonly perGateway: number;
  /** Address of the first device on a line; absent for meters addressed by their number. */
  readonly firstAddress?: number;
}

const home = { load: "home", impulseWeight: 1, meanPerHour: 0.6 } as const;
const modem = { by: "modem", gatewayModelId: 601 } as const;

/** Composition of the park, by protocol; the shares add up to 1. */
const kinds: readonly Kind[] = [
  { key: "rtu", share: 0.295, ...home, ...modem, modelId: 101, perGateway: 10, firstAddress: 1 },
  { key: "rtu1", share: 0.14, ...home, ...modem, modelId: 102, perGateway: 1, firstAddress: 1 },
  { key: "mercury", share: 0.12, ...home, ...modem, modelId: 120, perGateway: 8, firstAddress: 11 },
  {
    key: "dlms",
    share: 0.05,
    ...home,
    ...modem,
    isKeyed: true,
    modelId: 702,
    perGateway: 5,
    firstAddress: 17,
  },
  { key: "iec", share: 0.04, ...home, ...modem, modelId: 128, perGateway: 4 },
  {
    ...{ key: "tcp", share: 0.1, load: "shop", impulseWeight: 1, meanPerHour: 9 },
    ...{ by: "converter", gatewayModelId: 603, modelId: 106, perGateway: 20, firstAddress: 1 },
  },
  {
    ...{ key: "mbus", share: 0.1, load: "heating", impulseWeight: 1, meanPerHour: 0.08 },
    ...{ by: "converter", gatewayModelId: 604, modelId: 201, perGateway: 25, firstAddress: 1 },
  },
  {
    ...{ key: "wmbus", share: 0.05, load: "home", impulseWeight: 1, meanPerHour: 0.02, isSealed: true },
    ...{ by: "converter", gatewayModelId: 2, modelId: 311, perGateway: 200, listens: { to: "wmbus_lines" } },
  },
  {
    ...{ key: "p1", share: 0.005, ...home, by: "converter", gatewayModelId: 603, modelId: 132 },
    ...{ perGateway: 1, listens: { to: "p1" } },
  },
  {
    ...{ key: "lora", share: 0.1, load: "home", impulseWeight: 0.001, meanPerHour: 0.02 },
    ...{ by: "radio", modelId: 301, perGateway: 0 },
  },
];

export interface MixedOptions {
  readonly count: number;
  readonly seed: number;
  readonly intervalSec?: number;
  /** TCP port of the first converter; the others follow. */
  readonly firstPort?: number;
  /** False excludes LoRaWAN, which needs the broker's account of its company. */
  readonly hasRadio?: boolean;
  /** Number of the park: devices and modems of two parks have different numbers. From 0 to 9. */
  readonly park?: number;
}

const defaultFirstPort = 31_000;
/** Modems, and devices, of one park. */
const parkSize = 50_000;
/** IMEIs below this number belong to the demonstration and to the parks of one kind. */
const firstImei = 200_000;

/**
 * A park of many protocols: Modbus RTU, Mercury, DLMS (SPODES) and IEC 62056-21 behind modems that dial in,
 * Modbus TCP and M-Bus behind converters, wireless M-Bus behind receivers, P1 ports, and LoRaWAN. The same
 * options give the same park, so that one process may register it and another one play it.
 * Errors: RangeError for more devices than a park has numbers, or ports that do not exist.
 */
export function mixedPlan(options: MixedOptions): Plan {
  const { count, firstPort = defaultFirstPort } = options;
  if (!Number.isInteger(count) || count < 1 || count > parkSize)
    throw new RangeError(`a park has 1 to ${String(parkSize)} devices`);
  const gateways: PlannedGateway[] = [];
  const devices: PlannedDevice[] = [];
  let port = firstPort;
  for (const { kind, size } of sizesOf(options))
    for (let at = 0; at < size; at++) {
      if (kind.by !== "radio" && at % kind.perGateway === 0) {
        const isConverter = kind.by === "converter";
        gateways.push(
          gatewayOf(kind, { options, at, number: gateways.length, port: isConverter ? port : undefined }),
        );
        if (isConverter) port += 1;
      }
      devices.push(deviceOf(kind, { options, at, number: devices.length, gateway: gateways.at(-1) }));
    }
  if (port > 65_535)
    throw new RangeError("the converters do not find enough TCP ports from the first one on");
  return { gateways, baseStations: [], devices };
}

/** Shares as whole numbers; the rounding remainder goes to the first kind. */
function sizesOf({ count, hasRadio = true }: MixedOptions): { kind: Kind; size: number }[] {
  const wanted = kinds.filter(({ by }) => hasRadio || by !== "radio");
  const sizes = wanted.map((kind) => ({ kind, size: Math.floor(kind.share * count) }));
  const left = count - sizes.reduce((sum, { size }) => sum + size, 0);
  return sizes.map(({ kind, size }, at) => ({ kind, size: at === 0 ? size + left : size }));
}

interface Place {
  readonly options: MixedOptions;
  /** Index among those of its kind, and number in the park. */
  readonly at: number;
  readonly number: number;
}

const parkNumber = ({ options: { park = 0 }, number }: Place): number => park * parkSize + number;

function gatewayOf(kind: Kind, place: Place & { readonly port: number | undefined }): PlannedGateway {
  const number = parkNumber(place);
  const { port } = place;
  return {
    key: `${kind.key}-${String(Math.floor(place.at / kind.perGateway))}`,
    modelId: kind.gatewayModelId ?? 601,
    name: `GW-P${String(number)}`,
    place: "",
    deviceID: port === undefined ? imeiOf(firstImei + number) : `P${String(number).padStart(6, "0")}`,
    ...(port === undefined ? {} : { port }),
    ...(kind.listens === undefined ? {} : { listens: kind.listens }),
  };
}

function deviceOf(
  kind: Kind,
  place: Place & { readonly gateway: PlannedGateway | undefined },
): PlannedDevice {
  const number = parkNumber(place);
  const seed = seedOf(place.options.seed, number);
  const isRadio = kind.by === "radio";
  const deviceID = isRadio ? `3b3bff${number.toString(16).padStart(10, "0")}` : String(60_000_000 + number);
  const address = isRadio ? 1 : (kind.firstAddress ?? 0) + (place.at % kind.perGateway);
  return {
    modelId: kind.modelId,
    ...(isRadio || place.gateway === undefined ? {} : { gateway: place.gateway.key }),
    insideAddr: isRadio || kind.firstAddress !== undefined ? String(address) : deviceID,
    deviceID,
    ...(kind.isSealed === true ? { key: keyOf(seed) } : {}),
    ...(kind.isKeyed === true ? keyPair(seed) : {}),
    name: `V-P${String(number)}`,
    place: "",
    intervalSec: place.options.intervalSec ?? 3600,
    load: kind.load,
    meanPerHour: kind.meanPerHour,
    impulseWeight: kind.impulseWeight,
    seed,
    start: Math.round(noise(seed, 1) * 5000),
    startingValue: 0,
    hasLeaks: false,
    clockDriftPerDay: 0,
  };
}

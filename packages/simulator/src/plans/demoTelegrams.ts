import { toHex } from "@metrum/protocols/core";
import { pick, serial, type Draft } from "./demoDraft.ts";
import { consumers, streets } from "./demoPlaces.ts";
import type { PlannedGateway, PlannedListening } from "./plan.ts";

/** Serial servers with a P1 port or a receiver of wireless M-Bus behind them. */
const [nport, usr] = [603, 2];

/** Customer ports of three electricity meters: locations, and the models that read them. */
const ports = [
  { modelId: 132, consumer: 14, mean: 9 },
  { modelId: 132, consumer: 11, mean: 14 },
  { modelId: 552, consumer: 13, mean: 2 },
] as const;

/** A stick with culfw is silent until it is set to receive mode T. */
const brt = toHex(new TextEncoder().encode("brt\r\n"));

interface RadioKind {
  readonly modelId: number;
  readonly series: number;
  /** Default name of a device by its resource. */
  readonly title: "WM" | "HM" | "GM" | "TH";
  readonly isSealed: boolean;
}

/**
 * OMS security mode 5, no security, the extended link layer of Kamstrup: water in a street, then a substation
 * and its boiler house.
 */
const receivers: readonly { readonly listens: PlannedListening; readonly kinds: readonly RadioKind[] }[] = [
  {
    listens: { to: "wmbus_lines" },
    kinds: [
      { modelId: 311, series: 6810, title: "WM", isSealed: true },
      { modelId: 311, series: 6810, title: "WM", isSealed: true },
      { modelId: 312, series: 6820, title: "WM", isSealed: true },
      { modelId: 310, series: 6830, title: "WM", isSealed: true },
      { modelId: 313, series: 6840, title: "WM", isSealed: false },
      { modelId: 314, series: 6850, title: "WM", isSealed: false },
    ],
  },
  {
    listens: { to: "wmbus_lines", hello: brt },
    kinds: [
      { modelId: 211, series: 6910, title: "HM", isSealed: true },
      { modelId: 211, series: 6910, title: "HM", isSealed: true },
      { modelId: 210, series: 6920, title: "HM", isSealed: true },
      { modelId: 410, series: 6930, title: "GM", isSealed: true },
      { modelId: 510, series: 6940, title: "TH", isSealed: true },
    ],
  },
];

/** The P1 ports and the receivers, on TCP ports from `firstPort` on. */
export function listeners(firstPort: number): PlannedGateway[] {
  const p1 = ports.map(({ consumer }, at) => ({
    key: `p1-${String(at + 1)}`,
    modelId: nport,
    name: `GW-0${String(351 + at)}`,
    place: `${pick(consumers, consumer).name}, meter room`,
    deviceID: serial(3500, at),
    port: firstPort + at,
    listens: { to: "p1" } as const,
  }));
  const wmbus = receivers.map(({ listens }, at) => ({
    key: `wmbus${String(at + 1)}`,
    modelId: usr,
    name: `GW-0${String(371 + at)}`,
    place: at === 0 ? `${pick(streets, 4)} 15, roof` : "Boiler house 7, roof",
    deviceID: serial(3700, at),
    port: firstPort + 10 + at,
    listens,
  }));
  return [...p1, ...wmbus];
}

/** Three electricity meters with a P1 port and eleven radio meters. */
export function telegramMeters(chance: () => number): Draft[] {
  return [...p1Meters(chance), ...receivers.flatMap(({ kinds }, at) => radioMeters(kinds, at, chance))];
}

function p1Meters(chance: () => number): Draft[] {
  return ports.map(({ modelId, consumer, mean }, at): Draft => {
    const number = serial(7100, at);
    const { name, load } = pick(consumers, consumer);
    return {
      modelId,
      gateway: `p1-${String(at + 1)}`,
      insideAddr: "",
      deviceID: `E004${number}`,
      name: `P1 №${number}`,
      place: `${name}, main input`,
      load,
      meanPerHour: mean * (0.8 + 0.4 * chance()),
      start: Math.round(1000 + 50_000 * chance()),
    };
  });
}

/** Load and size by resource. */
const lives = {
  WM: { load: "home", mean: 0.25, start: 400 },
  HM: { load: "heating", mean: 0.012, start: 100 },
  GM: { load: "heating", mean: 4, start: 9000 },
  TH: { load: "office", mean: 0, start: 0 },
} as const;

function radioMeters(kinds: readonly RadioKind[], receiver: number, chance: () => number): Draft[] {
  return kinds.map(({ modelId, series, title, isSealed }, at): Draft => {
    const number = serial(series, at);
    const { load, mean, start } = lives[title];
    return {
      modelId,
      gateway: `wmbus${String(receiver + 1)}`,
      insideAddr: number,
      deviceID: number,
      ...(isSealed ? { key: keyBy(chance) } : {}),
      name: `${title}-${number}`,
      place: receiver === 0 ? `${pick(streets, 4)} ${String(13 + at)}, cold water` : "Boiler house 7",
      load,
      meanPerHour: mean * (0.5 + chance()),
      start: Math.round(start * (0.5 + chance())),
    };
  });
}

const keyBy = (chance: () => number): string =>
  toHex(Uint8Array.from({ length: 16 }, () => Math.floor(chance() * 256)));

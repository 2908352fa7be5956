import { pick, serial, type Draft } from "./demoDraft.ts";
import { telegramMeters, listeners } from "./demoTelegrams.ts";
import { withFeeders } from "./demoFeeders.ts";
import { meterModems, smartMeters } from "./demoMeters.ts";
import { consumers, parts, streets } from "./demoPlaces.ts";
import { imeiOf } from "../imei.ts";
import { seedOf } from "../meter.ts";
import type { Plan, PlannedDevice, PlannedGateway } from "./plan.ts";
import { noise, sequence } from "../random.ts";

const models = {
  sdm630: 101,
  sdm120: 102,
  iem3155: 103,
  em24: 104,
  b23: 105,
  umg96: 106,
  multical403: 201,
  multical603: 202,
  t550: 203,
  sharky: 204,
  si11Water: 301,
  hydrus: 302,
  falcon: 303,
  bmPlus: 304,
  si11Gas: 401,
  md02: 501,
  atm21: 601,
  wrx708: 602,
  nport: 603,
  pw60: 604,
  bs12: 701,
} as const;

/** First TCP port of the simulated converters. */
const firstPort = 17_100;

/**
 * The park of the demonstration: modems with electricity meters (Modbus, DLMS/SPODES, Mercury, IEC 62056-21),
 * Modbus TCP and M-Bus converters, P1 ports and receivers of wireless M-Bus, pulse counters by LoRaWAN and
 * sensors. The same seed gives the same park.
 */
export function demoPlan(seed = 1): Plan {
  const chance = sequence(seed ^ 0x5eed);
  const gateways = [
    ...modems(),
    ...modbusConverters(),
    ...mbusConverters(),
    ...meterModems(modemCount),
    ...listeners(firstPort + 40),
  ];
  const drafts = [
    ...electricity(chance),
    ...networkAnalysers(chance),
    ...heatAndWater(chance),
    ...pulseCounters(chance),
    ...sensors(),
    ...smartMeters(modemCount, chance),
    ...telegramMeters(chance),
  ];
  return {
    gateways,
    baseStations: [
      { key: "bs1", modelId: models.bs12, name: "BS-04", deviceID: "1c497bfffecb0a04" },
      { key: "bs2", modelId: models.bs12, name: "BS-07", deviceID: "1c497bfffecb0a07" },
    ],
    devices: withFeeders(drafts.map((draft, at) => complete(draft, seedOf(seed, at)))),
  };
}

function complete(draft: Draft, seed: number): PlannedDevice {
  const isPulse = draft.impulseWeight !== undefined;
  return {
    intervalSec: 60,
    impulseWeight: 1,
    ...draft,
    seed,
    startingValue: isPulse ? draft.start : 0,
    hasLeaks: isPulse && noise(seed, 31) < 0.08,
    clockDriftPerDay: Math.round((noise(seed, 32) - 0.5) * 8),
  };
}

const modemCount = 8;
const metersPerModem = 10;

function modems(): PlannedGateway[] {
  return Array.from({ length: modemCount }, (_, at) => ({
    key: `modem${at + 1}`,
    modelId: at % 2 === 0 ? models.atm21 : models.wrx708,
    name: `GW-0${201 + at}`,
    place: `TP-${11 + at}`,
    deviceID: imeiOf(at),
  }));
}

function modbusConverters(): PlannedGateway[] {
  return Array.from({ length: 5 }, (_, at) => ({
    key: `tcp${at + 1}`,
    modelId: models.nport,
    name: `GW-0${301 + at}`,
    place: `${pick(streets, at)} ${6 + at * 4}, switchboard`,
    deviceID: serial(3100, at),
    port: firstPort + at,
  }));
}

function mbusConverters(): PlannedGateway[] {
  return Array.from({ length: 6 }, (_, at) => ({
    key: `mbus${at + 1}`,
    modelId: models.pw60,
    name: `GW-00${81 + at}`,
    place: `Heat substation ${8 + at}`,
    deviceID: serial(6400, at),
    port: firstPort + 20 + at,
  }));
}

/** Eight modems, ten meters each on the RS-485 behind them. */
function electricity(chance: () => number): Draft[] {
  const kinds = [models.sdm630, models.b23, models.iem3155, models.sdm120] as const;
  const titles = ["SDM630", "B23", "iEM3155", "SDM120"];
  return Array.from({ length: modemCount * metersPerModem }, (_, at) => {
    const modem = Math.floor(at / metersPerModem);
    const consumer = pick(consumers, modem * 2 + (at % 3));
    const kind = at % 7 === 6 ? 3 : modem % 3;
    const isSmall = kind === 3;
    return {
      modelId: pick(kinds, kind),
      gateway: `modem${modem + 1}`,
      insideAddr: String(1 + (at % metersPerModem)),
      deviceID: serial(4120, at),
      name: `${pick(titles, kind)} №${serial(4120, at)}`,
      place: `${consumer.name}, ${pick(parts, at)}`,
      load: isSmall ? "home" : consumer.load,
      meanPerHour: isSmall ? 0.4 + chance() : 4 + 26 * chance() ** 2,
      start: Math.round(1000 + 90_000 * chance()),
    };
  });
}

/** Modbus TCP: the analysers of a switchboard, all behind its converter. */
function networkAnalysers(chance: () => number): Draft[] {
  return Array.from({ length: 20 }, (_, at) => {
    const converter = Math.floor(at / 4);
    const consumer = pick(consumers, converter * 3 + 2);
    const isEm24 = converter % 2 === 0;
    return {
      modelId: isEm24 ? models.em24 : models.umg96,
      gateway: `tcp${converter + 1}`,
      insideAddr: String(1 + (at % 4)),
      deviceID: serial(5200, at),
      name: `${isEm24 ? "EM24" : "UMG 96"} №${serial(5200, at)}`,
      place: `${consumer.name}, ${pick(parts, at % 4)}`,
      load: consumer.load,
      meanPerHour: 20 + 60 * chance(),
      start: Math.round(50_000 + 400_000 * chance()),
    };
  });
}

/** A meter whose register of 100,000 m³ rolls over every four months: as much as a meter of five digits may count. */
const intakeAt = 5;
const intake = { place: "Water intake 1, main", load: "pump" as const, meanPerHour: 35 };

/** M-Bus: at each heat substation three heat meters and five water meters. */
function heatAndWater(chance: () => number): Draft[] {
  const heat = [models.multical403, models.t550, models.sharky, models.multical603] as const;
  const water = [models.hydrus, models.falcon, models.bmPlus] as const;
  return Array.from({ length: 48 }, (_, at) => {
    const substation = Math.floor(at / 8);
    const address = 1 + (at % 8);
    const isHeat = address <= 3;
    const house = `${pick(streets, substation)} ${12 + address}`;
    const number = serial(isHeat ? 3391 : 2041, at);
    const common = { gateway: `mbus${substation + 1}`, insideAddr: String(address), deviceID: number };
    return isHeat
      ? {
          ...common,
          modelId: pick(heat, substation + address),
          name: `HM-${number}`,
          place: `Heat substation ${8 + substation}, ${house}`,
          load: "heating" as const,
          meanPerHour: 0.05 + 0.1 * chance(),
          start: Math.round(400 + 3000 * chance()),
        }
      : {
          ...common,
          modelId: pick(water, at),
          name: `WM-${number}`,
          place: `${house}, ${address % 2 === 0 ? "cold" : "hot"} water`,
          load: "home" as const,
          meanPerHour: 0.3 + 0.9 * chance(),
          start: Math.round(500 + 9000 * chance()),
          ...(at === intakeAt ? intake : {}),
        };
  });
}

/** Forty water and twenty gas meters with a pulse output, by radio. */
function pulseCounters(chance: () => number): Draft[] {
  return Array.from({ length: 60 }, (_, at) => {
    const isWater = at < 40;
    const devEui = `3b3b0000${(0x18a000 + at).toString(16).padStart(8, "0")}`;
    const flat = 1 + ((at * 7) % 80);
    return {
      modelId: isWater ? models.si11Water : models.si11Gas,
      baseStation: at % 3 === 0 ? "bs2" : "bs1",
      insideAddr: "1",
      deviceID: devEui,
      name: `${isWater ? "WP" : "GP"}-${20_400 + at}`,
      place: isWater
        ? `${pick(streets, at)} ${2 + (at % 30)}, flat ${flat}, ${at % 2 === 0 ? "cold" : "hot"}`
        : `${pick(streets, at)} ${1 + (at % 9)}, boiler house`,
      intervalSec: 3600,
      impulseWeight: isWater ? 0.001 : 0.01,
      load: isWater ? ("home" as const) : ("heating" as const),
      meanPerHour: isWater ? 0.008 + 0.02 * chance() : 1.5 + 6 * chance(),
      start: Math.round(20 + 700 * chance()),
    };
  });
}

/** Climate sensors on the buses of the modems. */
function sensors(): Draft[] {
  return Array.from({ length: 16 }, (_, at) => ({
    modelId: models.md02,
    gateway: `modem${1 + (at % modemCount)}`,
    insideAddr: String(101 + Math.floor(at / modemCount)),
    deviceID: serial(9050, at),
    name: `TH-${9050 + at}`,
    place: `${pick(consumers, at).name}, ${at % 2 === 0 ? "meter room" : "basement"}`,
    intervalSec: 300,
    load: "office" as const,
    meanPerHour: 0,
    start: 0,
  }));
}

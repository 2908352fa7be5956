import type { Plan, PlannedDevice, PlannedGateway } from "@metrum/simulator";

/**
 * What is wrong with a device. silent: never answers. noisy: every answer has a changed byte. refused: answers with
 * an exception. key: another password is stored. clock: its own clock is two hours ahead. disordered: sends the
 * former answer before each second one. dead: nobody listens where its gateway is. off, gatewayOff, groupOff,
 * unscheduled: switched off on the platform, at this level. asked: not scheduled either, but requested once by a task.
 */
export type Fate =
  | "well"
  | "silent"
  | "noisy"
  | "refused"
  | "key"
  | "clock"
  | "disordered"
  | "dead"
  | "off"
  | "gatewayOff"
  | "groupOff"
  | "unscheduled"
  | "asked";

/** Those whose readings must arrive in the rounds. */
export const ableFates: ReadonlySet<Fate> = new Set(["well", "clock", "disordered"]);

export interface FatedDevice extends PlannedDevice {
  readonly fate: Fate;
  readonly gateway: string;
}

export interface FatedPlan extends Plan {
  readonly devices: readonly FatedDevice[];
}

export const models = { single: 102, three: 101, tcp: 106, mercury: 120 } as const;
const gatewayModels = { converter: 603, modem: 601 } as const;
/** Of all lines; of all devices, shared by the fates below. */
const shares = { deadLines: 0.006, offLines: 0.004, faulty: 0.04, asked: 0.1 };
const clockAheadSec = 7_200;
const [daySec, clockCheckSec] = [86_400, 30 * 86_400];

/** Fates of single devices, with the models that can have them. */
const fates: readonly (readonly [Fate, readonly number[]])[] = [
  ["silent", [models.single, models.three, models.mercury, models.tcp]],
  ["key", [models.mercury]],
  ["noisy", [models.single, models.three]],
  ["clock", [models.mercury]],
  ["refused", [models.single, models.three]],
  ["disordered", [models.tcp]],
  ["off", [models.single, models.three]],
  ["groupOff", [models.single]],
  ["unscheduled", [models.three]],
];

/** Every second line is a modem that dials in, the others are converters. */
const modelOfLine = (line: number): number => {
  const place = line % 10;
  if (place === 4) return models.tcp;
  if (place === 2 || place === 7) return models.mercury;
  return place % 3 === 0 ? models.three : models.single;
};

/** Devices in equal numbers behind lines, and what is wrong with 5 % of them. */
export function fatedPlan(of: {
  readonly devices: number;
  readonly lines: number;
  readonly intervalSec: number;
}): FatedPlan {
  const perLine = Math.ceil(of.devices / of.lines);
  const dead = Math.max(1, Math.round(of.lines * shares.deadLines));
  const off = Math.max(1, Math.round(of.lines * shares.offLines));
  // Of the last lines, so that converters and modems are among the dead.
  const fateOfLine = (line: number): Fate => {
    const fromEnd = of.lines - 1 - line;
    return fromEnd < dead ? "dead" : fromEnd < dead + off ? "gatewayOff" : "well";
  };
  const devices = Array.from({ length: of.devices }, (_, at) => {
    const line = Math.floor(at / perLine);
    return deviceOf(at, { line, place: at % perLine, fate: fateOfLine(line), intervalSec: of.intervalSec });
  });
  return {
    baseStations: [],
    gateways: Array.from({ length: of.lines }, (_, line) => gatewayOf(line)),
    devices: withFates(devices),
  };
}

const gatewayOf = (line: number): PlannedGateway => ({
  key: `g${String(line)}`,
  modelId: line % 2 === 0 ? gatewayModels.converter : gatewayModels.modem,
  name: `G-${String(line)}`,
  place: "",
  deviceID: line % 2 === 0 ? `3200${String(line)}` : String(350_000_000_100_000 + line),
  ...(line % 2 === 0 ? { port: 0 } : {}),
});

function deviceOf(
  at: number,
  of: { readonly line: number; readonly place: number; readonly fate: Fate; readonly intervalSec: number },
): FatedDevice {
  return {
    fate: of.fate,
    modelId: modelOfLine(of.line),
    gateway: `g${String(of.line)}`,
    insideAddr: String(1 + of.place),
    deviceID: String(79_000_000 + at),
    name: `B-${String(at)}`,
    place: "",
    intervalSec: of.intervalSec,
    seed: at,
    load: "home",
    meanPerHour: 1,
    start: 1000 + at,
    impulseWeight: 1,
    startingValue: 0,
    hasLeaks: false,
    clockDriftPerDay: 0,
  };
}

/** Gives the fates to devices all over the lines that are well. */
function withFates(devices: readonly FatedDevice[]): FatedDevice[] {
  const given = new Map<number, Fate>();
  const each = Math.max(1, Math.round((devices.length * shares.faulty) / fates.length));
  const give = (fate: Fate, modelIds: readonly number[], count: number): void => {
    const free = devices.flatMap((device, at) =>
      device.fate === "well" && !given.has(at) && modelIds.includes(device.modelId) ? [at] : [],
    );
    if (free.length < count) throw new Error(`too few devices for the fate ${fate}`);
    for (let n = 0; n < count; n++) given.set(free[Math.floor((n * free.length) / count)] ?? 0, fate);
  };
  for (const [fate, modelIds] of fates) give(fate, modelIds, each);
  give("asked", [models.single, models.three], Math.round(devices.length * shares.asked));
  const intoPeriod = (Date.now() / 1000) % clockCheckSec;
  return devices.map((device, at) => {
    const fate = given.get(at) ?? device.fate;
    return fate === "clock"
      ? { ...device, fate, clockDriftPerDay: (clockAheadSec * daySec) / intoPeriod }
      : { ...device, fate };
  });
}

import type { FieldName } from "@metrum/vocabulary";
import { ByteReader } from "../core/bytes.ts";
import { readTogether } from "../core/command.ts";
import type { Conversation } from "../core/conversation.ts";
import type {
  DeviceAddress,
  DeviceMetadata,
  IdentifyAs,
  KeptArchive,
  LineDriver,
  PollRequest,
} from "../core/driver.ts";
import { ProtocolError } from "../core/errors.ts";
import type { Reading } from "../core/reading.ts";
import { mercuryCommands } from "./commands.ts";
import { explainMercury } from "./decode.ts";
import { instantFields, instantsOf, toUtc, type MercuryMeter, type MercuryOptions } from "./meter.ts";
import { instants, periods, requests, type InstantName } from "./requests.ts";
import { parseInstant, readEnergy, readFacts, readMeterClock, type MercuryEnergy } from "./reads.ts";
import { readProfile, recordStep } from "./profile.ts";
import { mercuryResponder } from "./responder.ts";
import {
  addressOf,
  ask,
  inSession,
  mercurySession,
  passwordBytes,
  passwordForm,
  testChannel,
  type MercurySession,
} from "./session.ts";
import { partsOf } from "./values.ts";

type Values = Partial<Record<FieldName, number | null>>;

/**
 * Driver of the Mercury 230 family (230, 231, 233, 234, 236) on RS-485, CAN or behind a modem.
 * Source: Incotex exchange protocol as public clients use it; energy and momentary values checked with an
 * independent client, the profile and everything at level 2 not verified on a meter.
 * Addresses: see `addressOf`; password of level 1: see `passwordBytes`.
 * Units: kWh, kvarh, kW, kvar, kVA, V, A, Hz, degrees; counters are not multiplied by the transformer ratios.
 * Archives: 5 power profile (when kept), 101 counters at the start of today and yesterday, 103 at the starts
 * of months back to a year; the last two are the counter minus what the meter says was consumed since.
 * Errors: ProtocolError "bad_password" (also level too low), "unsupported" (status 1, archives the meter has
 * not), "refused" (other statuses, in `detail`), "timeout", "checksum", "unexpected".
 */
export function mercury230(options: MercuryOptions = {}): LineDriver {
  const meter: MercuryMeter = {
    tariffs: 4,
    phases: 3,
    keeps: [],
    isPasswordAscii: false,
    utcOffsetMinutes: 180,
    hasSummerTime: false,
    ...options,
  };
  return {
    kind: "line",
    protocol: "mercury230",
    archives: archivesOf(meter),
    secrets: { password: passwordForm },
    factoryPasswords: ([1, 2] as const).map((level) =>
      passwordBytes(undefined, level, meter.isPasswordAscii),
    ),
    commands: {
      ...readTogether((device) => poll(inZoneOf(meter, device), { kind: "now" }, device)),
      ...mercuryCommands((device) => inZoneOf(meter, device)),
    },
    poll: (request, device) => poll(inZoneOf(meter, device), request, device),
    identify: (device, as) => identify(meter, device, as),
    namesSerial: true,
    respond: (device, state, now, history, takeOrder) =>
      mercuryResponder({
        meter: inZoneOf(meter, device),
        device,
        state,
        now,
        ...(history === undefined ? {} : { history }),
        ...(takeOrder === undefined ? {} : { takeOrder }),
      }),
    explain: explainMercury,
  };
}

const inZoneOf = (meter: MercuryMeter, { utcOffsetMinutes }: DeviceAddress): MercuryMeter =>
  utcOffsetMinutes === undefined ? meter : { ...meter, utcOffsetMinutes };

const daySec = 86_400;
const halfHourSec = 1800;

/** Consumption is stored for today and yesterday, and for the twelve months up to the present one. */
const archivesOf = ({ profile }: MercuryMeter): KeptArchive[] => [
  ...(profile
    ? [
        {
          msgType: 5,
          period: halfHourSec,
          depthSec: (profile.memoryBytes / recordStep) * halfHourSec,
        } as const,
      ]
    : []),
  { msgType: 101, period: daySec, depthSec: 2 * daySec },
  { msgType: 103, period: "month", depthSec: 365 * daySec },
];

function* poll(meter: MercuryMeter, request: PollRequest, device: DeviceAddress): Conversation<Reading[]> {
  const session = mercurySession(device, 1, meter.isPasswordAscii);
  return yield* inSession(session, () => {
    if (request.kind === "now") return readNow(meter, session);
    const { msgType } = request;
    if (msgType === 5 && meter.profile)
      return readProfile(
        session,
        { ...meter.profile, toUtc: (local, isWinter) => toUtc(meter, local, isWinter) },
        request,
      );
    if (msgType === 101 || msgType === 103) return readStarts(meter, session, { ...request, msgType });
    throw new ProtocolError("unsupported", "the meter keeps no such archive");
  });
}

/** Without a password a meter only answers the channel test; serial number and firmware need level 1. */
function* identify(meter: MercuryMeter, device: DeviceAddress, as: IdentifyAs): Conversation<DeviceMetadata> {
  if (as === "own") return yield* inSession(mercurySession(device, 1, meter.isPasswordAscii), readFacts);
  yield* testChannel(addressOf(device));
  return {};
}

/** A part of the protocol that this meter lacks is omitted, and no failure of the poll. */
function* orLeftOut<Result>(work: Conversation<Result>): Conversation<Result | undefined> {
  try {
    return yield* work;
  } catch (error) {
    if (error instanceof ProtocolError && error.kind === "unsupported") return undefined;
    throw error;
  }
}

function* readNow(meter: MercuryMeter, session: MercurySession): Conversation<Reading[]> {
  const clock = yield* readMeterClock(session);
  const counters: Values = {};
  for (let tariff = 0; tariff <= meter.tariffs; tariff++) {
    const energy = yield* readEnergy(session, { period: periods.sinceReset, tariff });
    Object.assign(counters, energyValues(meter, energy, tariff));
  }
  const states: Values = {};
  for (const name of instantsOf(meter))
    Object.assign(states, (yield* orLeftOut(readInstant(meter, session, name))) ?? {});
  const meterAt = toUtc(meter, clock.local, clock.isWinter);
  return [
    { msgType: 1, at: null, meterAt, values: counters },
    { msgType: 2, at: null, meterAt, values: states },
  ];
}

const tariffFields = {
  aPlus: "tariff",
  aMinus: "tariff_negative",
  rPlus: "tariff_reactive",
  rMinus: "tariff_reactive_negative",
} as const satisfies Record<keyof MercuryEnergy, string>;

type Tariff = 0 | 1 | 2 | 3 | 4;
const isTariff = (number: number): number is Tariff => number >= 0 && number <= 4;

function energyValues(meter: MercuryMeter, energy: MercuryEnergy, tariff: number): Values {
  const values: Values = {};
  if (!isTariff(tariff)) return values;
  for (const key of ["aPlus", ...meter.keeps] as const) {
    const raw = energy[key];
    values[`${tariffFields[key]}${tariff}`] = raw === null ? null : raw / 1000;
  }
  return values;
}

function* readInstant(meter: MercuryMeter, session: MercurySession, name: InstantName): Conversation<Values> {
  const kind = instants[name];
  const read = parseInstant(new ByteReader(yield* ask(session, requests.instant(kind))), kind);
  const values: Values = {};
  instantFields(name, meter.phases).forEach((field, at) => {
    const value = read[at];
    if (field === undefined || value === undefined) return;
    values[field] = name.startsWith("power") ? value / 1000 : value;
  });
  return values;
}

/** Counters at the start of past periods, newest period first in the dialogue, oldest first in the answer. */
function* readStarts(
  meter: MercuryMeter,
  session: MercurySession,
  of: { msgType: 101 | 103; from: number; to: number },
): Conversation<Reading[]> {
  const clock = yield* readMeterClock(session);
  const starts = periodStarts(of.msgType, clock.local).map((each) => ({
    ...each,
    at: toUtc(meter, each.startLocal, clock.isWinter),
  }));
  if (starts.every(({ at }) => at < of.from || at >= of.to)) return [];
  const counters: MercuryEnergy[] = [];
  for (let tariff = 0; tariff <= meter.tariffs; tariff++)
    counters.push(yield* readEnergy(session, { period: periods.sinceReset, tariff }));
  const found: Reading[] = [];
  for (const { at, period, month } of starts) {
    if (at < of.from) break;
    const values: Values = {};
    for (let tariff = 0; tariff <= meter.tariffs; tariff++) {
      const used = yield* readEnergy(session, { period, month, tariff });
      const atStart = minus(counters[tariff] ?? used, used);
      counters[tariff] = atStart;
      Object.assign(values, energyValues(meter, atStart, tariff));
    }
    if (at < of.to) found.unshift({ msgType: of.msgType, at, meterAt: at, values });
  }
  return found;
}

/** Starts of the periods with stored consumption, newest first, with their array. */
function periodStarts(
  msgType: 101 | 103,
  local: number,
): { startLocal: number; period: number; month: number }[] {
  const today = local - (local % 86_400);
  if (msgType === 101)
    return [
      { startLocal: today, period: periods.today, month: 0 },
      { startLocal: today - 86_400, period: periods.yesterday, month: 0 },
    ];
  const { year, month } = partsOf(local);
  return Array.from({ length: 12 }, (_, back) => ({
    startLocal: Date.UTC(2000 + year, month - 1 - back, 1) / 1000,
    period: periods.month,
    month: ((month - 1 - back + 12) % 12) + 1,
  }));
}

function minus(counter: MercuryEnergy, used: MercuryEnergy): MercuryEnergy {
  const part = (key: keyof MercuryEnergy): number | null => {
    const [whole, less] = [counter[key], used[key]];
    return whole === null || less === null || less > whole ? null : whole - less;
  };
  return { aPlus: part("aPlus"), aMinus: part("aMinus"), rPlus: part("rPlus"), rMinus: part("rMinus") };
}

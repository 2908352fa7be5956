import type { Conversation } from "../../core/conversation.ts";
import type { FuzzTarget } from "../../core/fuzz/fuzz.ts";
import { identification, seedMeter, sessionTarget } from "../../core/fuzz/fuzzSession.ts";
import { dlmsCommands } from "../commands.ts";
import { dlms } from "../driver.ts";
import { readObjectList, readPushList } from "../objects/association.ts";
import {
  readCalendar,
  readSpecialDays,
  writeCalendar,
  writeSpecialDays,
  type Calendar,
} from "../objects/calendar.ts";
import { readClock } from "../objects/clock.ts";
import { readLimiter, readRelay } from "../objects/control.ts";
import { encodeApdu } from "../apdu/apdu.ts";
import { encodeHdlc, llc, parseHdlc } from "../link/hdlc.ts";
import type { DlmsOptions } from "../options.ts";
import { mended } from "./seeds.ts";
import type { Session } from "../session/session.ts";
import type { DlmsData } from "../types.ts";

const now = 1_795_176_600;
const device = { insideAddr: "17", deviceID: "1", password: "00000000" };

const options = {
  transport: "hdlc",
  client: 32,
  authentication: { kind: "lls" },
  server: { logical: 1, bytes: 4, physical: "insideAddr" },
  resource: "electricity",
  registers: [{ msgType: 1, obis: "1.0.1.8.0.255", field: "tariff0" }],
  profiles: [
    {
      msgType: 5,
      obis: "1.0.99.1.0.255",
      columns: [{ obis: "1.0.1.4.0.255", field: "power_a_plus" }],
      period: "asked",
      rowsAtOnce: 8,
    },
  ],
  clock: { utcOffsetMinutes: 0 },
  // Every answer is accepted, so that mutated ones are read and not ignored.
  fixedInvokeId: 1,
  limits: { tries: 1 },
} as const satisfies DlmsOptions;

const driver = dlms(options);

const midnight = { hour: 0, minute: 0, second: 0, hundredths: 0 };
const newYear = { year: 2027, month: 1, day: 1, weekday: null };
const name = Uint8Array.of(0x53);
const calendar: Calendar = {
  name,
  seasons: [{ name, start: { ...newYear, ...midnight, deviation: null, status: null }, week: name }],
  weeks: [{ name, days: [1, 1, 1, 1, 1, 2, 2] }],
  days: [1, 2].map((dayId) => ({
    dayId,
    actions: [{ start: midnight, script: "0.0.10.0.100.255", selector: 1 }],
  })),
};

/** The simulated meter has none initially: it is written first. */
function* calendarAndDays(session: Session): Conversation<unknown> {
  yield* writeCalendar(session, calendar);
  yield* writeSpecialDays(session, [{ index: 1, date: newYear, dayId: 2 }]);
  return [yield* readCalendar(session, "passive"), yield* readSpecialDays(session)] as const;
}

const works: readonly (readonly [name: string, work: (session: Session) => Conversation<unknown>])[] = [
  ["objects", readObjectList],
  ["push-list", readPushList],
  ["calendar", calendarAndDays],
  ["clock", (session) => readClock(session, options.clock)],
  ["limiter", readLimiter],
  ["relay", readRelay],
];

const { power, limit, time_correct, set_special_day } = dlmsCommands(options, {
  reading: driver.inSession,
  changing: driver.inSession,
});
const holidays = { shedule: { tariff0: ["00:00"] }, day_list: ["01-01"] };

/** Commands with their readings before and afterwards. */
const commands: readonly (readonly [name: string, command: () => Conversation<unknown>])[] = [
  ["command-power", () => power(device, { power: 0 })],
  ["command-limit", () => limit(device, { limit: 5 })],
  ["command-time-correct", () => time_correct(device, { time_correct: 10 })],
  ["command-special-day", () => set_special_day(device, holidays)],
];

const targetOf = (name: string, poll: () => Conversation<unknown>): FuzzTarget =>
  sessionTarget({
    name: `poll-dlms-hdlc-${name}`,
    poll,
    meter: seedMeter(driver, device, now),
    seal: mended,
    ...(name === "push-list" ? { other: withPushList } : {}),
  });

const octets = (...value: readonly number[]): DlmsData => ({ type: "octets", value: Uint8Array.from(value) });
const uint = (value: number): DlmsData => ({ type: "uint16", value });

/** The list of a push setup, which the simulated meter has not: two captured attributes. */
const pushList: DlmsData = {
  type: "array",
  items: [octets(0, 0, 1, 0, 0, 255), octets(1, 0, 1, 8, 0, 255)].map((obis) => ({
    type: "structure",
    items: [uint(3), obis, { type: "int8", value: 2 }, uint(0)],
  })),
};

/** The same frame with the list in it; frames without information stay unchanged. */
function withPushList(answer: Uint8Array): readonly Uint8Array[] {
  const frame = parseHdlc(answer);
  if (frame.control.type !== "i") return [];
  const invoke = { id: 1, isConfirmed: true, isHighPriority: true };
  const apdu = encodeApdu({ type: "getResponse", invoke, result: { kind: "data", value: pushList } });
  return [encodeHdlc({ ...frame, information: Uint8Array.of(...llc.fromServer, ...apdu) })];
}

/**
 * HDLC sessions with mutated answers: link, association, a profile, and each kind of object with its own
 * reader.
 */
export const dlmsObjectFuzz: readonly FuzzTarget[] = [
  targetOf("profile", () =>
    driver.poll({ kind: "archive", msgType: 5, from: now - 20_000, to: now }, device),
  ),
  targetOf("identify", () => identification(driver, device)),
  ...works.map(([name, work]) => targetOf(name, () => driver.inSession(device, work))),
  ...commands.map(([name, command]) => targetOf(name, command)),
];

import { describe, expect, it } from "vitest";
import { ended } from "../testing/testLink.ts";
import type { DlmsData } from "../types.ts";
import {
  readCalendar,
  readSpecialDays,
  writeCalendar,
  writeSpecialDays,
  type Calendar,
  type DayProfile,
} from "./calendar.ts";
import {
  dayProfileOf,
  prepareSchedule,
  prepareSpecialSchedule,
  readSchedule,
  readSpecialSchedule,
  scheduleOfDay,
} from "./tariffs.ts";
import { list, nameOf, octets, structure, testSession, whole, type Kept } from "./testSession.ts";

const refused = (kind: string, message: string): unknown =>
  expect.objectContaining({ name: "ProtocolError", kind, message });

const calendar = "20 0.0.13.0.0.255";
const specialDays = "11 0.0.11.0.0.255 2";
const scripts = "0.0.10.0.100.255";
const text = (value: string): DlmsData => octets(...new TextEncoder().encode(value));
const bytes = (value: string): Uint8Array => new TextEncoder().encode(value);
const action = (hour: number, minute: number, selector: number, script = scripts): DlmsData =>
  structure(octets(hour, minute, 0, 0), nameOf(script), whole("uint16", selector));
const dayData = (dayId: number, ...actions: readonly DlmsData[]): DlmsData =>
  structure(whole("uint8", dayId), list(...actions));
const weekData = (name: string, ...days: readonly number[]): DlmsData =>
  structure(text(name), ...days.map((day) => whole("uint8", day)));
const start = octets(7, 0xea, 3, 31, 0xff, 0, 0, 0, 0xff, 0xff, 0xc4, 0xff);
const seasonData = structure(text("S"), start, text("W"));

/** A meter with two tariffs on days 1 and 2, and its parts in attributes 2 to 5. */
const meter: Record<string, Kept> = {
  [`${calendar} 2`]: text("2027"),
  [`${calendar} 3`]: list(seasonData),
  [`${calendar} 4`]: list(weekData("W", 1, 1, 1, 1, 1, 2, 2)),
  [`${calendar} 5`]: list(dayData(1, action(0, 0, 1), action(7, 30, 2)), dayData(2, action(0, 0, 1))),
  [specialDays]: list(structure(whole("uint16", 1), octets(0xff, 0xff, 1, 7, 0xff), whole("uint8", 2))),
};
const at = (hour: number, minute: number) => ({ hour, minute, second: 0, hundredths: 0 });
const held: Calendar = {
  name: bytes("2027"),
  seasons: [
    {
      name: bytes("S"),
      start: {
        ...{ year: 2026, month: 3, day: 31, weekday: null, hour: 0, minute: 0, second: 0 },
        ...{ hundredths: null, deviation: -60, status: null },
      },
      week: bytes("W"),
    },
  ],
  weeks: [{ name: bytes("W"), days: [1, 1, 1, 1, 1, 2, 2] }],
  days: [
    {
      dayId: 1,
      actions: [
        { start: at(0, 0), script: scripts, selector: 1 },
        { start: at(7, 30), script: scripts, selector: 2 },
      ],
    },
    { dayId: 2, actions: [{ start: at(0, 0), script: scripts, selector: 1 }] },
  ],
};

describe("a calendar", () => {
  it("is read from the attributes 2 to 5, or 6 to 9 of the passive one", () => {
    const passive = Object.fromEntries(
      [2, 3, 4, 5].map((part) => [
        `${calendar} ${String(part + 4)}`,
        meter[`${calendar} ${String(part)}`] ?? 0,
      ]),
    );

    expect(ended(readCalendar(testSession(meter).session, "active"))).toEqual(held);
    expect(ended(readCalendar(testSession(passive).session, "passive"))).toEqual(held);
  });

  it("is written into the passive set, whole, and then activated, at once or later", () => {
    const now = testSession({});
    const later = testSession({});
    const when = held.seasons[0]?.start;
    ended(writeCalendar(now.session, held));
    ended(writeCalendar(later.session, held, when));

    const parts = [2, 3, 4, 5].map((part) => [
      `${calendar} ${String(part + 4)}`,
      meter[`${calendar} ${String(part)}`],
    ]);
    expect(now.changes).toEqual([...parts, [`${calendar} 1`, whole("int8", 0)]]);
    expect(later.changes).toEqual([...parts, [`${calendar} 10`, start]]);
  });

  it.each<[string, Partial<Calendar>, string]>([
    ["a week that is missing", { weeks: [] }, "a season names a week that there is not"],
    ["a week of 6 days", { weeks: [{ name: bytes("W"), days: [1, 1, 1, 1, 1, 2] }] }, "a week of 6 days"],
    [
      "a day that is missing",
      { weeks: [{ name: bytes("W"), days: [1, 1, 1, 1, 1, 2, 3] }] },
      "a week names day 3, which there is not",
    ],
  ])("with %s is not begun to be written", (_, changes, message) => {
    const { session, changes: made } = testSession({});

    expect(() => ended(writeCalendar(session, { ...held, ...changes }))).toThrow(
      refused("unexpected", message),
    );
    expect(made).toEqual([]);
  });

  it.each<[number, Kept, string]>([
    [2, whole("uint8", 1), "name of the calendar is no octet string, but uint8"],
    [3, octets(1), "seasons is no list, but octets"],
    [3, list(octets(1)), "season is no list, but octets"],
    [3, list(structure(text("S"), octets(1, 2), text("W"))), "start of a season has 2 bytes, not 12"],
    [3, list(structure(text("S"), whole("uint8", 1))), "start of a season is no octet string, but uint8"],
    [3, list(structure(whole("uint8", 1), start)), "name of a season is no octet string, but uint8"],
    [3, list(structure(text("S"), start)), "week of a season is no octet string, but missing"],
    [4, octets(1), "weeks is no list, but octets"],
    [4, list(octets(1)), "week is no list, but octets"],
    [4, list(weekData("W", 1, 1, 1, 1, 1, 1)), "a week of 6 days"],
    [4, list(weekData("W", 1, 1, 1, 1, 1, 1, 1, 1)), "a week of 8 days"],
    [
      4,
      list(structure(...Array.from({ length: 8 }, () => whole("uint8", 1)))),
      "name of a week is no octet string, but uint8",
    ],
    [
      4,
      list(structure(text("W"), ...Array.from({ length: 7 }, () => octets(1)))),
      "day of a week is no whole number, but octets",
    ],
    [5, octets(1), "days is no list, but octets"],
    [5, list(octets(1)), "day is no list, but octets"],
    [5, list(structure()), "day id is no whole number, but missing"],
    [5, list(structure(whole("uint8", 1))), "actions of a day is no list, but missing"],
    [5, list(dayData(1, octets(1))), "action is no list, but octets"],
    [5, list(dayData(1, structure(octets(0)))), "start of an action has 1 bytes, not 4"],
    [5, list(dayData(1, structure())), "start of an action is no octet string, but missing"],
    [5, list(dayData(1, structure(octets(0, 0, 0, 0)))), "script is no octet string, but missing"],
    [
      5,
      list(dayData(1, structure(octets(0, 0, 0, 0), nameOf(scripts)))),
      "script selector is no whole number, but missing",
    ],
  ])("with another attribute %i is refused: %o", (part, data, message) => {
    const { session } = testSession({ ...meter, [`${calendar} ${String(part)}`]: data });

    expect(() => ended(readCalendar(session, "active"))).toThrow(refused("unexpected", message));
  });

  it("without a zone or a status in a season has none", () => {
    const bare = octets(0xff, 0xff, 1, 1, 0xff, 0, 0, 0, 0, 0x80, 0, 0x01);
    const { session } = testSession({
      ...meter,
      [`${calendar} 3`]: list(structure(text("S"), bare, text("W"))),
    });

    expect(ended(readCalendar(session, "active")).seasons[0]?.start).toMatchObject({
      ...{ year: null, deviation: null, status: 1 },
    });
  });
});

describe("special days", () => {
  const day = { index: 1, date: { year: null, month: 1, day: 7, weekday: null }, dayId: 2 };

  it("are read and written as a whole", () => {
    const { session, changes } = testSession(meter);
    ended(writeSpecialDays(session, [day]));

    expect(ended(readSpecialDays(session))).toEqual([day]);
    expect(changes).toEqual([[specialDays, meter[specialDays]]]);
  });

  it.each<[Kept, string]>([
    [octets(1), "special days is no list, but octets"],
    [list(octets(1)), "special day is no list, but octets"],
    [list(structure()), "index is no whole number, but missing"],
    [list(structure(whole("uint16", 1))), "date is no octet string, but missing"],
    [list(structure(whole("uint16", 1), octets(1))), "date has 1 bytes, not 5"],
    [list(structure(whole("uint16", 1), octets(1, 1, 1, 1, 1))), "day id is no whole number, but missing"],
  ])("are refused: %o", (data, message) => {
    expect(() => ended(readSpecialDays(testSession({ [specialDays]: data }).session))).toThrow(
      refused("unexpected", message),
    );
  });
});

describe("a tariff schedule", () => {
  const schedule = { tariff0: ["07:30"], tariff1: ["23:00"] };
  const profile = (
    ...actions: readonly (readonly [hour: number | null, minute: number, selector: number, script?: string])[]
  ): DayProfile => ({
    dayId: 1,
    actions: actions.map(([hour, minute, selector, script = scripts]) => ({
      start: { ...at(0, minute), hour },
      script,
      selector,
    })),
  });

  it("is a day whose scripts are numbered from 1", () => {
    const day = profile([0, 0, 1], [7, 30, 2], [23, 0, 1]);

    expect(dayProfileOf(1, schedule)).toEqual(day);
    expect(scheduleOfDay(day)).toEqual(schedule);
    expect(scheduleOfDay(profile([null, 0, 1], [7, 30, 2], [23, 0, 1]))).toEqual(schedule);
    expect(scheduleOfDay(profile([0, 0, 1], [7, 30, 2, "0.0.10.0.101.255"]))).toBeUndefined();
    expect(scheduleOfDay(profile([0, 0, 5]))).toBeUndefined();
    expect(() => dayProfileOf(1, {})).toThrow(refused("unexpected", "a schedule without a tariff"));
  });

  it("is read if every day has the same", () => {
    const read = (weeks: DlmsData) =>
      ended(readSchedule(testSession({ ...meter, [`${calendar} 4`]: weeks }).session));

    expect(read(list(weekData("W", 2, 2, 2, 2, 2, 2, 2)))).toEqual({ tariff0: ["00:00"] });
    expect(read(list(weekData("W", 1, 1, 1, 1, 1, 2, 2)))).toBeUndefined();
    expect(read(list(weekData("W", 9, 9, 9, 9, 9, 9, 9)))).toBeUndefined();
    expect(read(list())).toBeUndefined();
  });

  it("for every day keeps the days that special days name, of which a meter may have none", () => {
    const every: Calendar = {
      name: bytes("1"),
      seasons: [
        {
          name: bytes("1"),
          start: {
            ...{ year: null, month: 1, day: 1, weekday: null, ...at(0, 0) },
            ...{ deviation: null, status: null },
          },
          week: bytes("1"),
        },
      ],
      weeks: [{ name: bytes("1"), days: [1, 1, 1, 1, 1, 1, 1] }],
      days: [profile([0, 0, 1], [7, 30, 2], [23, 0, 1]), ...held.days.slice(1)],
    };
    const prepare = (objects: Record<string, Kept>) =>
      ended(prepareSchedule(testSession(objects).session, schedule));
    const own = list(structure(whole("uint16", 1), octets(0xff, 0xff, 1, 7, 0xff), whole("uint8", 1)));

    expect(prepare(meter)).toEqual(every);
    const alone = { ...every, days: every.days.slice(0, 1) };
    expect(prepare({ ...meter, [specialDays]: own })).toEqual(alone);
    expect(prepare({ ...meter, [specialDays]: 4 })).toEqual(alone);
    expect(() => prepare({ ...meter, [specialDays]: 3 })).toThrow(
      expect.objectContaining({ kind: "refused" }),
    );
  });

  it("of special days is that of the day they name, if it is one", () => {
    const read = (special: DlmsData) =>
      ended(readSpecialSchedule(testSession({ ...meter, [specialDays]: special }).session));
    const day = (dayId: number, month = 1, date = 7) =>
      structure(whole("uint16", 1), octets(0xff, 0xff, month, date, 0xff), whole("uint8", dayId));

    expect(read(list(day(2), day(2, 12, 31)))).toEqual({
      days: ["01-07", "12-31"],
      schedule: { tariff0: ["00:00"] },
    });
    expect(read(list(day(2), day(1)))).toEqual({ days: ["01-07", "01-07"] });
    expect(read(list(day(9, 0xff, 0xff)))).toEqual({ days: ["??-??"] });
    expect(read(list())).toEqual({ days: [] });
  });

  it("for special days takes a day that no week has, in place of the earlier one", () => {
    const prepared = ended(
      prepareSpecialSchedule(testSession(meter).session, { days: ["01-07", "12-31"], schedule }),
    );
    const every = { ...meter, [`${calendar} 4`]: list(weekData("W", 1, 1, 1, 1, 1, 1, 1)) };
    const date = (month: number, day: number) => ({ year: null, month, day, weekday: null });

    expect(prepared).toEqual({
      calendar: {
        ...held,
        days: [...held.days, { ...profile([0, 0, 1], [7, 30, 2], [23, 0, 1]), dayId: 3 }],
      },
      table: [
        { index: 1, date: date(1, 7), dayId: 3 },
        { index: 2, date: date(12, 31), dayId: 3 },
      ],
    });
    const { calendar: changed } = ended(
      prepareSpecialSchedule(testSession(every).session, { days: [], schedule }),
    );
    expect(changed.days.map(({ dayId }) => dayId)).toEqual([1, 2]);
    expect(changed.days[1]?.actions).toHaveLength(3);
    const none = { ...meter, [`${calendar} 4`]: list(), [`${calendar} 5`]: list() };
    const { table } = ended(prepareSpecialSchedule(testSession(none).session, { days: ["02-01"], schedule }));
    expect(table).toEqual([{ index: 1, date: date(2, 1), dayId: 2 }]);
  });
});

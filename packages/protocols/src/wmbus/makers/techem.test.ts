import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fromHex, toHex, type Span } from "../../core/bytes.ts";
import { codeOf } from "../../core/spans.ts";
import { refusalOf } from "../../core/testing/testRefusal.ts";
import { buildTelegram } from "../encode.ts";
import { readWmbus } from "../telegram.ts";
import { makersLayouts } from "./index.ts";
import { telegramOf } from "./layout.ts";
import { dueDateBefore, isTechemDate, packTechemDate, periodDay, techemDate } from "./techemDates.ts";

/** TCH, number, version, medium, CI and content. */
const telegram = (ids: string, ci: number, content: string): Uint8Array =>
  telegramOf(fromHex(`6850 78563412 ${ids}`), ci, fromHex(content));
const values = (bytes: Uint8Array) =>
  readWmbus(bytes).records.map(({ quantity, unit, storage, value }) => [quantity, unit, storage, value]);
const namesOf = (bytes: Uint8Array): unknown[] => {
  const trace: Span[] = [];
  readWmbus(bytes, { trace });
  return trace
    .filter(({ offset }) => offset > 10)
    .map(({ offset, bytes: count, name }) => [offset, count, codeOf(name)]);
};
const seconds = (year: number, month: number, day: number): number => Date.UTC(year, month - 1, day) / 1000;

/** Source: dates as the reader wmbusmeters describes them: day 5 bits, month 4 bits, year 7 bits. */
describe("a due date of Techem", () => {
  const packed = (day: number, month: number, year: number): Uint8Array => {
    const word = day + month * 32 + year * 512;
    return Uint8Array.of(word % 256, Math.floor(word / 256));
  };

  it.each([
    [31, 12, 25, "2025-12-31"],
    [1, 1, 0, "2000-01-01"],
    [31, 12, 127, "2127-12-31"],
    [29, 2, 24, "2024-02-29"],
    [29, 2, 25, undefined],
    [31, 4, 25, undefined],
    [0, 1, 25, undefined],
    [1, 0, 25, undefined],
    [1, 13, 25, undefined],
    [1, 15, 25, undefined],
  ])("of day %i, month %i, year %i is %s", (day, month, year, date) => {
    const bytes = packed(day, month, year);
    const stamp = techemDate(bytes);

    expect(stamp && new Date(stamp.local * 1000).toISOString().slice(0, 10)).toBe(date ?? null);
    expect(isTechemDate(bytes)).toBe(date !== undefined);
    if (stamp) expect(stamp).toMatchObject({ summerHours: 0, dateOnly: true });
    if (stamp) expect(packTechemDate(stamp.local)).toBe(day + month * 32 + year * 512);
  });

  it("that was never set is no error", () => {
    expect(["0000", "ffff", "00ff", "0001"].map((hex) => isTechemDate(fromHex(hex)))).toEqual([
      ...[true, true, false, false],
    ]);
  });

  it("is the end of the year before, and the day of a period has no year", () => {
    const moment = fc.integer({ min: 0, max: 364 * 86_400 });

    fc.assert(
      fc.property(moment, (since) => {
        expect(dueDateBefore(seconds(2026, 1, 1) + since)).toBe(seconds(2025, 12, 31));
      }),
      { numRuns: 20 },
    );
    expect(periodDay(seconds(2026, 11, 20))).toBe(20 * 16 + 11 * 512);
    expect(periodDay(seconds(2027, 1, 31))).toBe(31 * 16 + 512);
  });
});

describe("an allocator of Techem", () => {
  const read = (content: string, ids = "6980") => values(telegram(ids, 0xa0, content));
  const now = ["H.C.A.", "Units for H.C.A.", 0, 256];
  const due = ["H.C.A.", "Units for H.C.A.", 1, 258];
  const date = ["Time point (date)", "-", 1, "2025-12-31"];
  const [room, radiator] = [
    ["External temperature", "°C", 0, 21.5],
    ["Return temperature", "°C", 0, 43.21],
  ];

  it.each([
    ["01", ""],
    ["11", ""],
    ["0f", "aa"],
  ])("of variant %s has its numbers at their places", (variant, extra) => {
    expect(read(`${variant} 9f33 0201 4017 0001 ${extra} 6608 e110 aabb`)).toEqual([
      ...[now, due, date, room, radiator],
    ]);
  });

  it.each(["00", "02", "10", "12", "0e"])("of variant %s has none", (variant) => {
    expect(read(`${variant} 9f33 0201 4017 0001 6608 e110`)).toEqual([]);
  });

  it("sends whole units, and none below zero", () => {
    const layout = makersLayouts.find(({ name }) => name === "Techem FHKV data III");
    const plan = { manufacturer: "TCH", id: "12345678", version: 0x69, medium: 0x80, accessNumber: 1 };
    const sent = (code: string): number => ({ "03 6E": 1.6, "43 6E": -1, "02 65": 20.006 })[code] ?? 65_536;
    const bytes = layout?.build({ ...plan, local: seconds(2026, 11, 20), key: undefined, value: sent });

    expect(values(bytes ?? new Uint8Array()).map((each) => each[3])).toEqual([2, 0, "2025-12-31", 20.01, 0]);
  });

  it("has temperatures up to 150 °C", () => {
    const at = (hex: string) =>
      read(`01 9f33 0201 4017 0001 ${hex} ${hex}`)
        .slice(3)
        .map((each) => each[3]);
    const { warnings } = readWmbus(telegram("6980", 0xa0, "01 9f33 0201 4017 0001 993a 993a"));

    expect([at("0000"), at("983a"), at("993a")]).toEqual([
      [0, 0],
      [150, 150],
      [null, null],
    ]);
    expect(warnings).toEqual([
      "temperature of the room that cannot be: 150.01 °C",
      "temperature of the radiator that cannot be: 150.01 °C",
    ]);
  });

  it("is named to the byte, and refused where it ends early", () => {
    expect(namesOf(telegram("6980", 0xa2, "0f 9f33 0201 4017 0001 aa 6608 e110 aabb"))).toEqual([
      [11, 1, "variant"],
      [12, 2, "due_date"],
      [14, 2, "units_last_period"],
      [16, 2, "day_of_period"],
      [18, 2, "units_this_period"],
      [20, 1, "not_known"],
      [21, 2, "room_temperature"],
      [23, 2, "radiator_temperature"],
      [25, 2, "makers_unread"],
    ]);
    expect(namesOf(telegram("6980", 0xa0, "01 2000 0201")).slice(-1)).toEqual([[14, 2, "makers_unread"]]);
    expect(refusalOf(() => read("01 9f33 0201 4017 0001 66"))).toEqual({ kind: "unexpected", offset: 20 });
  });
});

describe("a meter of Techem", () => {
  it.each([
    ["7462", "Volume", "m^3", [150, 100, 50], "01 9f33 e803 4017 f401", "2025-12-31"],
    ["7472", "Volume", "m^3", [150, 100, 50], "01 0000 e803 4017 f401", null],
    ["7062", "Volume", "m^3", [150, 100, 50], "01 2000 e803 4017 f401", undefined],
    ["9572", "Volume", "m^3", [150, 100, 50], "01 9f33 e803 4017 f401", undefined],
    ["4504", "Energy", "Wh", [1.5e6, 1e6, 0.5e6], "01 2000 e80300 40 f40100", undefined],
    ["2243", "Energy", "Wh", [66_561e3, 65_536e3, 1025e3], "01 2000 000001 40 010400", undefined],
    ["2704", "Energy", "J", [1.5e9, 1e9, 0.5e9], "01 2000 e803 4017 f401", undefined],
  ])(
    "%s has the register at the due date and what was used since",
    (ids, quantity, unit, sizes, content, date) => {
      const found = values(telegram(ids, 0xa2, `${content} aabb`));

      expect(found.slice(0, 3)).toEqual([
        [quantity, unit, 0, sizes[0]],
        [quantity, unit, 1, sizes[1]],
        [`${quantity} since the due date`, unit, 0, sizes[2]],
      ]);
      expect(found.slice(3)).toEqual(date === undefined ? [] : [["Time point (date)", "-", 1, date]]);
    },
  );

  it("is named to the byte", () => {
    expect(namesOf(telegram("7462", 0xa2, "01 9f33 e803 4017 f401 aa"))).toEqual([
      [11, 1, "variant"],
      [12, 2, "due_date"],
      [14, 2, "register_at_due_date"],
      [16, 2, "day_of_period"],
      [18, 2, "used_since"],
      [20, 1, "makers_unread"],
    ]);
    expect(namesOf(telegram("4504", 0xa2, "01 9f33 e80300 40 f40100")).slice(1, 5)).toEqual([
      [12, 2, "not_known"],
      [14, 3, "register_at_due_date"],
      [17, 1, "day_of_period"],
      [18, 3, "used_since"],
    ]);
    expect(namesOf(telegram("7462", 0xa2, "01 2000 e803 4017 f401 aa")).slice(-1)).toEqual([
      [14, 7, "makers_unread"],
    ]);
  });

  it("keeps the bytes of its values, and the date as a date", () => {
    const { records } = readWmbus(telegram("7462", 0xa2, "01 9f33 e803 4017 f401"));

    expect(records.map(({ raw }) => toHex(raw))).toEqual(["f401", "e803", "f401", "9f33"]);
    expect(records[3]?.stamp).toEqual({ local: seconds(2025, 12, 31), summerHours: 0, dateOnly: true });
    expect(records[0]).not.toHaveProperty("stamp");
  });

  it("sends what it has in two parts that fit their bytes", () => {
    const sent = (name: string, value: number) => {
      const layout = makersLayouts.find((each) => each.name === name);
      const plan = { manufacturer: "TCH", id: "12345678", accessNumber: 1, local: seconds(2026, 11, 20) };
      const { versions: [version = 0] = [], media: [medium = 0] = [] } = layout?.devices[0] ?? {};
      const bytes = layout?.build({ ...plan, version, medium, key: undefined, value: () => value });
      return values(bytes ?? new Uint8Array()).map((each) => each[3]);
    };

    expect(sent("Techem radio 3", 100)).toEqual([100, 75, 25, "2025-12-31"]);
    expect(sent("Techem radio 3", 0.3)).toEqual([0.3, 0.2, 0.1, "2025-12-31"]);
    // 65 535 counts of 0.1 m³ is the most of each part.
    expect(sent("Techem radio 4", 8738)).toEqual([8738, 6553.5, 2184.5]);
    expect(sent("Techem radio 4", 1e6)).toEqual([13_107, 6553.5, 6553.5]);
    expect(sent("Techem compact V", 1e6 * 1000)).toEqual([1e9, 0.75e9, 0.25e9]);
    expect(sent("Techem vario 4.5.1", 4e6)).toEqual([4e6, 3e6, 1e6]);
  });
});

describe("BFW", () => {
  const bfw = {
    manufacturer: "BFW",
    id: "12345678",
    version: 2,
    medium: 8,
    accessNumber: 1,
    security: "none",
  } as const;
  const months = Array.from({ length: 9 }, (_, at) => `0${String(at + 1)} 00 1${String(at)}`).join(" ");
  const content = `2f2f aabb 0102 0304 ccdd ${months} 201126`;
  const sent = (hex: string) => buildTelegram(fromHex(hex), bfw);

  it("has units now and of the last period, then eighteen months, the newest first", () => {
    const found = readWmbus(sent(content)).records.map(({ quantity, storage, value }) => [
      ...[quantity, storage, value],
    ]);

    expect(found.slice(0, 4)).toEqual([
      ["H.C.A.", 0, 0x0304],
      ["H.C.A.", 1, 0x0102],
      ["H.C.A., 1 months ago", 0, 0x18],
      ["H.C.A., 2 months ago", 0, 0x09],
    ]);
    expect(found.at(-1)).toEqual(["H.C.A., 18 months ago", 0, 0x01]);
    expect(found.at(-2)).toEqual(["H.C.A., 17 months ago", 0, 0x10]);
    expect(found).toHaveLength(20);
  });

  it("is named to the byte, and of one length", () => {
    const trace: Span[] = [];
    readWmbus(sent(content), { trace });
    const names = trace.filter(({ offset }) => offset >= 15).map(({ bytes, name }) => [bytes, codeOf(name)]);

    expect(names).toEqual([
      [4, "not_known"],
      [2, "units_last_period"],
      [2, "units_this_period"],
      [2, "not_known"],
      ...Array.from({ length: 9 }, () => [3, "units_past_months"]),
      [3, "date"],
    ]);
    expect(readWmbus(sent(content.slice(0, -2))).warnings).toEqual([
      "39 bytes are not the layout of this maker",
    ]);
  });

  it("sends its date in decimal digits, and no negative units", () => {
    const layout = makersLayouts.find(({ name }) => name === "BFW 240 radio");
    const plan = { ...bfw, local: seconds(2026, 11, 9), key: undefined };
    const bytes = layout?.build({ ...plan, value: (code) => (code === "03 6E" ? -1 : 65_537.6) });

    expect(bytes?.slice(-3)).toEqual(fromHex("091126"));
    expect(
      values(bytes ?? new Uint8Array())
        .slice(0, 2)
        .map((each) => each[3]),
    ).toEqual([0, 2]);
  });
});

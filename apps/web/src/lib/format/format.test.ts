import { describe, expect, it } from "vitest";
import { ageOf, formatAge } from "./age.ts";
import { formatNumber, parseNumber, withSign } from "./numbers.ts";
import {
  formatClock,
  formatDate,
  formatDateTime,
  formatOffset,
  formatShort,
  formatTimeDate,
} from "./times.ts";
import { offsetAt } from "./zone.ts";

describe("numbers", () => {
  it("have the decimal mark of the language and groups with a no-break space in all three", () => {
    expect(formatNumber(104_826.318, "ru")).toBe("104\u00A0826,318");
    expect(formatNumber(104_826.318, "en")).toBe("104\u00A0826.318");
    expect(formatNumber(1_204_518.06, "mn", { least: 2, most: 2 })).toBe("1\u00A0204\u00A0518.06");
  });

  it("have a true minus, and a dash where there is no number", () => {
    expect(formatNumber(-74, "ru")).toBe("\u221274");
    expect(formatNumber(Number.NaN, "en")).toBe("—");
  });

  it("TRUST-028 have no sign when they are rounded to nothing, and are rounded by their digits", () => {
    const three = { least: 3, most: 3 };
    expect([-0.0004, -0, -0.0006, 1.0005].map((value) => formatNumber(value, "en", three))).toEqual([
      "0.000",
      "0.000",
      "\u22120.001",
      "1.001",
    ]);
  });

  it("keep the digits that each is asked for, and have a plus only above nothing", () => {
    const [two, none] = [{ least: 2, most: 2 }, { most: 0 }];
    expect([formatNumber(1.005, "en"), formatNumber(1, "en", two), formatNumber(1.6, "en", none)]).toEqual([
      ...["1.005", "1.00", "2"],
    ]);
    expect([2, 0, -2].map((value) => withSign(value, formatNumber(value, "en")))).toEqual([
      ...["+2", "0", "\u22122"],
    ]);
    expect(parseNumber("9".repeat(400))).toBeNull();
  });

  it.each([
    ["1 234,5", 1234.5],
    ["1234.5", 1234.5],
    ["1\u00A0234,5", 1234.5],
    ["1\u202F234", 1234],
    ["\u221274", -74],
    ["12,", 12],
    ["", null],
    ["1,2,3", null],
    ["12a", null],
  ])("typed as %j are %j", (text, value) => {
    expect(parseNumber(text)).toBe(value);
  });

  it("round-trip through text", () => {
    for (const value of [0, -1.5, 1234.567, 98_765_432.1])
      expect(parseNumber(formatNumber(value, "ru"))).toBe(value);
  });
});

describe("times", () => {
  const at = Date.UTC(2026, 10, 14, 6, 30, 7) / 1000;

  it("UI-047: dates are DD.MM.YYYY, date-times in lists HH:mm, dd.MM.yyyy", () => {
    expect(formatDate(at, "Asia/Ulaanbaatar")).toBe("14.11.2026");
    expect(formatTimeDate(at, "Asia/Ulaanbaatar")).toBe("14:30, 14.11.2026");
    expect(formatDateTime(at, "Asia/Ulaanbaatar")).toBe("14.11.2026 14:30");
    expect(formatShort(at, "Asia/Ulaanbaatar")).toBe("14.11 14:30");
  });

  it("SHELL-025: a time is shown with the offset of its zone added, as it was on that day", () => {
    expect(formatDateTime(at, "UTC")).toBe("14.11.2026 06:30");
    expect(formatDateTime(at, "UTC+4")).toBe("14.11.2026 10:30");
    expect(formatDateTime(at, "America/Sao_Paulo")).toBe("14.11.2026 03:30");
    expect(formatDateTime(Date.UTC(2026, 6, 14, 6, 30) / 1000, "Europe/Berlin")).toBe("14.07.2026 08:30");
    expect(formatDateTime(at, "Europe/Berlin")).toBe("14.11.2026 07:30");
  });

  it("SHELL-027: the clock is that of the zone, with its offset from UTC", () => {
    expect(formatClock(at, "Asia/Ulaanbaatar")).toBe("14:30:07");
    expect(formatOffset(at, "Asia/Ulaanbaatar")).toBe("UTC+8");
    expect(formatOffset(at, "Asia/Kolkata")).toBe("UTC+5:30");
    expect(formatOffset(at, "America/Sao_Paulo")).toBe("UTC\u22123");
    expect(formatOffset(at, "UTC")).toBe("UTC");
    expect(formatOffset(at, "UTC+12:05")).toBe("UTC+12:05");
    expect(formatOffset(Date.UTC(1890, 0, 1) / 1000, "Europe/Berlin")).toBe("UTC+0:53");
  });

  it("follow the rules in force on the day: Kazakhstan before and after March 2024", () => {
    expect(formatOffset(Date.UTC(2024, 1, 29) / 1000, "Asia/Almaty")).toBe("UTC+6");
    expect(formatOffset(Date.UTC(2024, 2, 1) / 1000, "Asia/Almaty")).toBe("UTC+5");
  });

  it("have the offset of their own second on a day on which clocks change", () => {
    for (const [zone, change, before, after] of [
      ["Europe/Berlin", Date.UTC(2026, 2, 29, 1), 3600, 7200],
      ["Europe/Berlin", Date.UTC(2026, 9, 25, 1), 7200, 3600],
      ["America/Sao_Paulo", Date.UTC(2018, 10, 4, 3), -10_800, -7200],
    ] as const) {
      const second = change / 1000;
      const seen = [-12 * 3600, -1, -0.5, 0, 12 * 3600].map((by) => offsetAt(second + by, zone));
      expect(seen).toEqual([before, before, before, after, after]);
    }
    expect(["UTC", "UTC-3", "UTC+5:45", "UTC-9:30"].map((zone) => offsetAt(at, zone))).toEqual([
      ...[0, -10_800, 20_700, -34_200],
    ]);
  });

  it("accept fixed offsets, and use UTC for an invalid zone", () => {
    expect(formatClock(at, "UTC+8")).toBe("14:30:07");
    expect(formatClock(at, "UTC+5:30")).toBe("12:00:07");
    expect(formatClock(at, "Nowhere/Land")).toBe("06:30:07");
  });
});

describe("age", () => {
  it.each([
    [-5, { unit: "now", main: 0, rest: 0 }],
    [59, { unit: "now", main: 0, rest: 0 }],
    [60, { unit: "minutes", main: 1, rest: 0 }],
    [3599, { unit: "minutes", main: 59, rest: 0 }],
    [3600, { unit: "hours", main: 1, rest: 0 }],
    [86_399, { unit: "hours", main: 23, rest: 59 }],
    [86_400, { unit: "days", main: 1, rest: 0 }],
    [239 * 3600, { unit: "days", main: 9, rest: 23 }],
    [250 * 3600, { unit: "days", main: 10, rest: 0 }],
    [120, { unit: "minutes", main: 2, rest: 0 }],
    [3 * 3600 + 600, { unit: "hours", main: 3, rest: 10 }],
    [30 * 3600, { unit: "days", main: 1, rest: 6 }],
    [400 * 86_400 + 7200, { unit: "days", main: 400, rest: 0 }],
  ])("of %i s", (seconds, age) => {
    expect(ageOf(seconds)).toEqual(age);
  });

  it.each([
    [5, "common:age.now {}"],
    [120, 'common:age.minutes {"minutes":2}'],
    [7200, 'common:age.hours {"hours":2}'],
    [7260, 'common:age.hoursMinutes {"hours":2,"minutes":1}'],
    [172_800, 'common:age.days {"days":2}'],
    [176_400, 'common:age.daysHours {"days":2,"hours":1}'],
  ])("of %i s is told as %s", (seconds, said) => {
    expect(formatAge(seconds, (key, options) => `${key} ${JSON.stringify(options)}`)).toBe(said);
  });
});

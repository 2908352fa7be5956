import { languages } from "@metrum/vocabulary";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  formatDate,
  formatDateTime,
  formatNumber,
  formatOffset,
  offsetAt,
  parseNumber,
  toLocal,
} from "#lib/format";
import { endOfDay, parseDateTime, startOfDay } from "#ui/dateRange";
import { dayOf, dayText } from "./index.ts";

const zone = fc.constantFrom(
  ...["Asia/Ulaanbaatar", "Europe/Berlin", "America/St_Johns", "Australia/Lord_Howe", "Asia/Kathmandu"],
  ...["America/Havana", "Pacific/Apia", "Africa/Casablanca", "Etc/UTC", "Asia/Almaty", "Pacific/Kiritimati"],
);
/** Around changes of clocks, and anywhere since 2012: before, clocks went back over midnight, and days began twice. */
const instant = fc.oneof(
  fc.integer({ min: Date.UTC(2012, 0) / 1000, max: Date.UTC(2100, 0) / 1000 }),
  fc
    .tuple(
      fc.constantFrom(
        "2026-03-29",
        "2026-10-25",
        "2026-04-05",
        "2026-11-01",
        "2024-03-01",
        "2011-12-30",
        "2026-02-15",
      ),
      fc.integer({ min: -2 * 86_400, max: 2 * 86_400 }),
    )
    .map(([day, sec]) => Date.parse(`${day}T00:00:00Z`) / 1000 + sec),
);

describe("a moment and its text", () => {
  it("TRUST-023 RANGE-018 the text of a moment is read as its minute, in every zone and on every day", () => {
    fc.assert(
      fc.property(instant, zone, (at, where) => {
        const text = formatDateTime(at, where);
        const [start = 0, end = 0] = [parseDateTime(text, where), parseDateTime(text, where, "end")];

        expect(toLocal(start, where)).toBe(Math.floor(toLocal(at, where) / 60) * 60);
        expect(end).toBe(start + 59);
        // In the hour that comes twice the first one is meant.
        expect(start).toBeLessThanOrEqual(at);
      }),
      { numRuns: 1000 },
    );
  });

  it("RANGE-018 a day begins and ends with its first and last second", () => {
    fc.assert(
      fc.property(instant, zone, (at, where) => {
        const [start, end] = [startOfDay(at, where), endOfDay(at, where)];
        const day = formatDate(at, where);

        expect([start, end].map((each) => formatDate(each, where))).toEqual([day, day]);
        expect([start - 1, end + 1].map((each) => formatDate(each, where))).not.toContain(day);
        expect(parseDateTime(day, where, "end")).toBe(end);
      }),
      { numRuns: 1000 },
    );
  });

  it("a zone and its offset: the text of the offset names it to the minute", () => {
    fc.assert(
      fc.property(instant, fc.constantFrom(...Intl.supportedValuesOf("timeZone")), (at, where) => {
        const [, sign = "+", hours = "0", minutes = "0"] =
          /^UTC([+\u2212])(\d+)(?::(\d+))?$/.exec(formatOffset(at, where)) ?? [];
        const size = Number(hours) * 60 + Number(minutes);

        expect((sign === "+" ? size : -size) + 0).toBe(Math.round(offsetAt(at, where) / 60) + 0);
      }),
    );
  });
});

describe("a day and its cell", () => {
  it("every day of the calendar is read from its text, and no other", () => {
    const part = (most: number) => fc.integer({ min: 1, max: most });
    fc.assert(
      fc.property(fc.integer({ min: 1970, max: 2199 }), part(12), part(31), (year, month, day) => {
        const two = (value: number): string => String(value).padStart(2, "0");
        const iso = `${String(year)}-${two(month)}-${two(day)}`;
        const isReal = day <= new Date(Date.UTC(year, month, 0)).getUTCDate();
        const read = [iso, dayText(iso), `${String(day)}/${String(month)}/${String(year)}`].map(dayOf);

        expect(read).toEqual(isReal ? [iso, iso, iso] : [undefined, undefined, undefined]);
      }),
      { numRuns: 1000 },
    );
  });
});

describe("an amount and its text", () => {
  it.each(languages)("TRUST-030 every amount of six decimals is read from its text (%s)", (language) => {
    const amount = fc
      .tuple(fc.integer({ min: -(10 ** 15), max: 10 ** 15 }), fc.nat(6))
      .map(([whole, places]) => whole / 10 ** places);
    fc.assert(
      fc.property(amount, (value) => {
        expect(parseNumber(formatNumber(value, language, { most: 6 }))).toBe(value);
      }),
      { numRuns: 1000 },
    );
  });
});

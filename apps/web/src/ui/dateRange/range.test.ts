import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { day, formatDateTime, offsetAt } from "#lib/format";
import {
  allowedRange,
  defaultRange,
  fitRange,
  maxSpanOf,
  presetOf,
  presetRange,
  presets,
  presetsWithin,
  profileSpan,
  stepRange,
  wholeDays,
  type RangeLimits,
} from "./range.ts";
import { endOfDay, fromLocal, parseDateTime, startOfDay } from "./zone.ts";

const zone = "Asia/Ulaanbaatar";
const at = (text: string, where = zone) => {
  const found = parseDateTime(text, where);
  if (found === undefined) throw new Error(`not a date: ${text}`);
  return found;
};
/** Friday. */
const now = at("20.11.2026 14:32");
const limits = (maxSpan: number | null = null): RangeLimits => ({ maxSpan, zone, now });
const shown = (range: { start: number; end: number }, where = zone) =>
  `${formatDateTime(range.start, where)} – ${formatDateTime(range.end, where)}`;
const range = (start: string, end: string) => ({ start: at(start), end: at(end) + 59 });

describe("limits of a period", () => {
  it("RANGE-007: a start before 1970 becomes 01.01.1970", () => {
    const fitted = fitRange(
      range("01.01.1960 00:00", "02.01.1970 23:59"),
      "start",
      range("01.01.1970 00:00", "02.01.1970 23:59"),
      limits(),
    );

    expect(formatDateTime(fitted.start, zone)).toBe("01.01.1970 00:00");
  });

  it("RANGE-008: an end after next year becomes the last minute of next year", () => {
    const fitted = fitRange(
      range("01.01.2026 00:00", "05.05.2031 12:00"),
      "end",
      range("01.01.2026 00:00", "02.01.2026 23:59"),
      limits(),
    );

    expect(formatDateTime(fitted.end, zone)).toBe("31.12.2027 23:59");
    expect(allowedRange(limits()).end).toBe(fitted.end);
  });

  it("RANGE-009 RANGE-011: a type with 100 days allows a span of 99", () => {
    expect(maxSpanOf("archives", 100)).toBe(99 * day);
    expect(maxSpanOf("tariffs", 732)).toBe(731 * day);
    expect(maxSpanOf("tariffs", null)).toBeNull();
  });

  it("RANGE-010: power profiles and the journal of a device span 99 days, whatever their type", () => {
    expect(maxSpanOf("power_profiles", 3660)).toBe(8_553_600);
    expect(maxSpanOf("journal_device", null)).toBe(profileSpan);
  });

  it("RANGE-014: the default is Monday of last week to the end of today", () => {
    expect(shown(defaultRange(limits()))).toBe("09.11.2026 00:00 – 20.11.2026 23:59");
  });

  it("the default is cut from the front when the type allows less", () => {
    const fitted = defaultRange(limits(3 * day));

    expect(fitted.end - fitted.start).toBe(3 * day);
    expect(formatDateTime(fitted.end, zone)).toBe("20.11.2026 23:59");
  });
});

describe("the other end moves", () => {
  it("RANGE-012 RANGE-016: a start too early moves the end to exactly the longest span", () => {
    const before = range("14.11.2026 00:00", "20.11.2026 23:59");

    const fitted = fitRange(
      { ...before, start: at("01.01.2026 00:00") },
      "start",
      before,
      limits(profileSpan),
    );

    expect(fitted.end - fitted.start).toBe(profileSpan);
    expect(fitted.moved).toBe("end");
  });

  it("RANGE-012: a start after the end keeps the length from before the change", () => {
    const before = range("14.11.2026 00:00", "16.11.2026 23:59");

    const fitted = fitRange(
      { ...before, start: at("01.12.2026 00:00") },
      "start",
      before,
      limits(profileSpan),
    );

    expect(shown(fitted)).toBe("01.12.2026 00:00 – 03.12.2026 23:59");
    expect(fitted.moved).toBe("end");
  });

  it("RANGE-013: an end before the start keeps the length, at least one day", () => {
    const before = range("14.11.2026 10:00", "14.11.2026 11:00");

    const fitted = fitRange(
      { ...before, end: at("10.11.2026 23:59") + 59 },
      "end",
      before,
      limits(profileSpan),
    );

    expect(shown(fitted)).toBe("10.11.2026 00:00 – 10.11.2026 23:59");
    expect(fitted.moved).toBe("start");
  });

  it("RANGE-013: an end too late moves the start", () => {
    const before = range("01.01.2026 00:00", "20.01.2026 23:59");

    const fitted = fitRange({ ...before, end: at("20.11.2026 23:59") }, "end", before, limits(profileSpan));

    expect(fitted.end - fitted.start).toBe(profileSpan);
    expect(fitted.moved).toBe("start");
  });

  it("nothing leaves the allowed period", () => {
    const before = range("01.12.2027 00:00", "31.12.2027 23:59");

    const fitted = fitRange(
      { start: at("30.12.2027 00:00"), end: at("01.12.2027 00:00") },
      "start",
      before,
      limits(),
    );

    expect(formatDateTime(fitted.end, zone)).toBe("31.12.2027 23:59");
  });
});

describe("quick periods", () => {
  it("RANGE-017: today, yesterday, weeks, months and years", () => {
    const all = Object.fromEntries(presets.map((preset) => [preset, shown(presetRange(preset, zone, now))]));

    expect(all).toEqual({
      today: "20.11.2026 00:00 – 20.11.2026 23:59",
      yesterday: "19.11.2026 00:00 – 19.11.2026 23:59",
      thisWeek: "16.11.2026 00:00 – 22.11.2026 23:59",
      lastWeek: "09.11.2026 00:00 – 15.11.2026 23:59",
      last7: "14.11.2026 00:00 – 20.11.2026 23:59",
      thisMonth: "01.11.2026 00:00 – 30.11.2026 23:59",
      lastMonth: "01.10.2026 00:00 – 31.10.2026 23:59",
      last30: "22.10.2026 00:00 – 20.11.2026 23:59",
      thisYear: "01.01.2026 00:00 – 31.12.2026 23:59",
      lastYear: "01.01.2025 00:00 – 31.12.2025 23:59",
    });
  });

  it("a preset that is longer than the type allows is not offered, and a period knows its name", () => {
    expect(presetsWithin(limits(profileSpan))).not.toContain("thisYear");
    expect(presetOf(presetRange("last7", zone, now), zone, now)).toBe("last7");
  });

  it("RANGE-019: one step is the adjacent period of the same length", () => {
    const week = range("14.11.2026 00:00", "20.11.2026 23:59");

    expect(shown(stepRange(week, -1, limits()))).toBe("07.11.2026 00:00 – 13.11.2026 23:59");
    expect(shown(stepRange(range("01.11.2026 00:00", "30.11.2026 23:59"), -1, limits()))).toBe(
      "01.10.2026 00:00 – 31.10.2026 23:59",
    );
    expect(shown(stepRange(range("14.11.2026 10:00", "14.11.2026 11:59"), 1, limits()))).toBe(
      "14.11.2026 12:00 – 14.11.2026 13:59",
    );
  });

  it("RANGE-019: a step over the allowed edge stays where it is", () => {
    const last = range("01.12.2027 00:00", "31.12.2027 23:59");

    expect(stepRange(last, 1, limits())).toEqual(last);
  });
});

describe("change of clocks", () => {
  const berlin = "Europe/Berlin";

  it("RANGE-018: the days of the change have 23 and 25 hours and no second is lost", () => {
    const spring = at("29.03.2026 12:00", berlin);
    const autumn = at("25.10.2026 12:00", berlin);

    expect((endOfDay(spring, berlin) + 1 - startOfDay(spring, berlin)) / 3600).toBe(23);
    expect((endOfDay(autumn, berlin) + 1 - startOfDay(autumn, berlin)) / 3600).toBe(25);
    expect(startOfDay(endOfDay(autumn, berlin) + 1, berlin)).toBe(endOfDay(autumn, berlin) + 1);
  });

  it("RANGE-018: a day without a midnight ends with its own last second, and the next begins at its midnight", () => {
    const havana = "America/Havana";
    const noon = at("08.03.2026 12:00", havana);

    expect(shown({ start: startOfDay(noon, havana), end: endOfDay(noon, havana) }, havana)).toBe(
      "08.03.2026 01:00 – 08.03.2026 23:59",
    );
    expect(shown(wholeDays(2, havana, at("09.03.2026 12:00", havana)), havana)).toBe(
      "07.03.2026 00:00 – 08.03.2026 23:59",
    );
  });

  it("RANGE-018: stepping days over the change keeps midnight", () => {
    const sunday = {
      start: at("25.10.2026 00:00", berlin),
      end: endOfDay(at("25.10.2026 00:00", berlin), berlin),
    };

    const monday = stepRange(sunday, 1, { maxSpan: null, zone: berlin, now });

    expect(shown(monday, berlin)).toBe("26.10.2026 00:00 – 26.10.2026 23:59");
  });

  it.each([
    ["30.03.2026 00:10", 1, "29.03.2026 00:00 – 29.03.2026 23:59"],
    ["26.10.2026 23:50", 2, "24.10.2026 00:00 – 25.10.2026 23:59"],
    ["02.04.2026 09:00", 7, "26.03.2026 00:00 – 01.04.2026 23:59"],
  ])("TRUST-023: at %s the last %i whole days are days of the calendar", (moment, count, expected) => {
    expect(shown(wholeDays(count, berlin, at(moment, berlin)), berlin)).toBe(expected);
  });

  it("an ambiguous local time is the first one, a skipped one is after the change", () => {
    const twice = fromLocal(Date.UTC(2026, 9, 25, 2, 30) / 1000, berlin);
    const skipped = fromLocal(Date.UTC(2026, 2, 29, 2, 30) / 1000, berlin);

    expect(offsetAt(twice, berlin)).toBe(7200);
    expect(formatDateTime(skipped, berlin)).toBe("29.03.2026 03:30");
  });

  it("past zone rules apply: Mongolia changed its clocks in 2016, not in 2026", () => {
    expect(offsetAt(at("01.07.2016 12:00"), zone)).toBe(9 * 3600);
    expect(offsetAt(at("01.07.2026 12:00"), zone)).toBe(8 * 3600);
  });

  it("a fixed offset is a zone too", () => {
    expect(offsetAt(now, "UTC+5:30")).toBe(19_800);
    expect(offsetAt(now, "UTC-3")).toBe(-10_800);
  });
});

describe("typed and pasted dates", () => {
  it.each([
    ["14.11.2026 08:30", "14.11.2026 08:30"],
    ["14.11.2026", "14.11.2026 00:00"],
    ["14/11/26 8:30", "14.11.2026 08:30"],
    ["2026-11-14T08:30:00", "14.11.2026 08:30"],
    [" 14.11.2026\u00A008:30 ", "14.11.2026 08:30"],
  ])("%s is read", (typed, meant) => {
    expect(formatDateTime(at(typed), zone)).toBe(meant);
  });

  it.each(["", "31.02.2026", "14.11.2026 25:00", "soon", "14.11"])("%s is refused", (typed) => {
    expect(parseDateTime(typed, zone)).toBeUndefined();
  });

  it("a date alone as the end is the whole day", () => {
    const end = parseDateTime("14.11.2026", zone, "end");

    expect(end).toBe(endOfDay(at("14.11.2026"), zone));
  });
});

describe("a range and its fields", () => {
  const second = fc.integer({ min: at("01.01.1969 00:00"), max: at("31.12.2029 00:00") });
  const span = fc.oneof(
    fc.constantFrom(0, 59, day - 1, day, 99 * day),
    fc.integer({ min: 0, max: 400 * day }),
  );
  const before = fc.tuple(second, span).map(([start, length]) => ({ start, end: start + length }));
  const longest = fc.constantFrom(null, day, 3 * day, 99 * day);
  const beside = fc.constantFrom(-1, 0, 1);

  it("RANGE-012 RANGE-016 the end that was typed stays, and the other moves only if the range is reversed or too long", () => {
    const { start: first, end: last } = allowedRange(limits());
    const clamp = (instant: number): number => Math.min(Math.max(instant, first), last);
    fc.assert(
      fc.property(
        before,
        longest,
        fc.boolean(),
        fc.oneof(second, span),
        beside,
        (old, maxSpan, isStart, typed, step) => {
          const edge = isStart ? "start" : "end";
          // Anywhere, or as far from the other end as is allowed, and one second beside it.
          const far = maxSpan ?? 0;
          const instant = typed > 10 ** 9 ? typed : (isStart ? old.end - far : old.start + far) + step;
          const wanted = { ...old, [edge]: instant };
          const fitted = fitRange(wanted, edge, old, limits(maxSpan));
          const [start, end] = [clamp(wanted.start), clamp(wanted.end)];
          const fits = end >= start && end - start <= (maxSpan ?? Infinity);

          expect(fitted[edge]).toBe(clamp(instant));
          expect(fitted.moved).toBe(fits ? null : isStart ? "end" : "start");
          if (fits) expect([fitted.start, fitted.end]).toEqual([start, end]);
          expect(fitted.end - fitted.start).toBeGreaterThanOrEqual(0);
          expect(fitted.end - fitted.start).toBeLessThanOrEqual(maxSpan ?? Infinity);
          expect([clamp(fitted.start), clamp(fitted.end)]).toEqual([fitted.start, fitted.end]);
        },
      ),
      { numRuns: 2000 },
    );
  });

  it("a range that is shown in its fields is read from them as the same minutes", () => {
    fc.assert(
      fc.property(before, ({ start, end }) => {
        const read = [
          parseDateTime(formatDateTime(start, zone), zone, "start"),
          parseDateTime(formatDateTime(end, zone), zone, "end"),
        ];
        const minute = (instant: number): string => formatDateTime(instant, zone);

        expect(read.map((instant) => minute(instant ?? 0))).toEqual([minute(start), minute(end)]);
        expect((((read[1] ?? 0) + 1) % 60) + 0).toBe(0);
      }),
      { numRuns: 1000 },
    );
  });
});

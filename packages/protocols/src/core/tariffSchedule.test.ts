import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isSameSchedule, scheduleOf, startsOf } from "./tariffSchedule.ts";

describe("a tariff schedule", () => {
  it("TARIFF-014: names the ends of intervals: two tariffs are day 07 to 23 and night 23 to 07", () => {
    expect(startsOf({ tariff0: ["23:00"], tariff1: ["07:00"] })).toEqual([
      { minute: 0, tariff: 1 },
      { minute: 420, tariff: 0 },
      { minute: 1380, tariff: 1 },
    ]);
  });

  it("TARIFF-010: three tariffs are peak, half-peak and night", () => {
    const three = { tariff0: ["10:00", "21:00"], tariff1: ["17:00", "23:00"], tariff2: ["07:00"] };

    expect(startsOf(three)).toEqual([
      { minute: 0, tariff: 2 },
      { minute: 420, tariff: 0 },
      { minute: 600, tariff: 1 },
      { minute: 1020, tariff: 0 },
      { minute: 1260, tariff: 1 },
      { minute: 1380, tariff: 2 },
    ]);
    expect(scheduleOf(startsOf(three))).toEqual(three);
  });

  it("TARIFF-011: of one tariff ends at midnight", () => {
    expect(startsOf({ tariff0: ["00:00"] })).toEqual([{ minute: 0, tariff: 0 }]);
    expect(scheduleOf([{ minute: 0, tariff: 0 }])).toEqual({ tariff0: ["00:00"] });
  });

  it("that a day of a meter cannot be written as is left out", () => {
    expect(scheduleOf([])).toBeUndefined();
    expect(scheduleOf([{ minute: 60, tariff: 0 }])).toBeUndefined();
    expect(scheduleOf([{ minute: 0, tariff: 4 }])).toBeUndefined();
  });

  it("read from a device is the one that was written, whatever it is", () => {
    const starts = fc.uniqueArray(fc.integer({ min: 1, max: 1439 }), { maxLength: 7 }).chain((minutes) =>
      fc
        .array(fc.integer({ min: 0, max: 3 }), {
          minLength: minutes.length + 1,
          maxLength: minutes.length + 1,
        })
        .map((tariffs) =>
          tariffs.map((tariff, at) => ({
            minute: [0, ...minutes.toSorted((a, b) => a - b)][at] ?? 0,
            tariff,
          })),
        ),
    );

    fc.assert(
      fc.property(starts, (day) => {
        const schedule = scheduleOf(day);

        expect(schedule).toBeDefined();
        if (schedule) expect(scheduleOf(startsOf(schedule))).toEqual(schedule);
        if (schedule) expect(isSameSchedule(schedule, { ...schedule })).toBe(true);
      }),
    );
  });
});

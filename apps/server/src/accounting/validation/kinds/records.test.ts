import { sources, statuses, type FieldName } from "@metrum/vocabulary";
import { describe, expect, test } from "vitest";
import { decided, found, spanOf, times, withStatus } from "#testing/series/judgedKinds";
import { changed, dailyOf, firstMidnight, givenOf, midnight, valueAt } from "#testing/series/judgedSeries";
import type { Rival, Value } from "../judged/judged.ts";
import { type Given } from "../judged/series.ts";
import { isSameSerial } from "./foreignSerial.ts";

const day = 86_400;
/** Values of a register at these days. */
const levels = (
  given: readonly (readonly [day: number, value: number])[],
  field: FieldName = "tariff0",
): Value[] => given.map(([at, value]) => valueAt(field, midnight(at), value));

describe("duplicate", () => {
  const numbers = { repeats: 2 };

  test("TRUST-014 one record of the meter that stands at several times", () => {
    const repeated = (at: readonly number[], more: Partial<Given> = {}) =>
      changed(dailyOf([24, 0, 0, 24, 0], more), ({ ts }) => ({
        meterAt: at.includes((ts - firstMidnight) / day) ? midnight(1) - 60 : null,
      }));

    expect(found("duplicate", repeated([1, 2, 3]), numbers)).toEqual([
      {
        ...{ field: "tariff0", msgType: 100, from: midnight(1), to: midnight(3), values: 3 },
        ...{ code: "repeated", evidence: { values: 3, meter_at: midnight(1) - 60, value: 24 } },
      },
    ]);
    // Two are few, other values are other records, and a decided or a doubtful value is none.
    expect(times("duplicate", repeated([2, 3, 4]), numbers)).toEqual([]);
    expect(times("duplicate", repeated([2, 3]), numbers)).toEqual([]);
    expect(times("duplicate", dailyOf([0, 0, 0]), numbers)).toEqual([]);
    for (const status of [...decided, "suspect", "rejected"] as const)
      expect(times("duplicate", withStatus(repeated([1, 2, 3]), [2], status), numbers)).toEqual([]);
    const of = (from: number, to: number) =>
      times("duplicate", repeated([1, 2, 3], spanOf(from, to)), numbers);
    expect([of(3, 9), of(3.1, 9), of(0, 1), of(0, 0.9)].map(({ length }) => length)).toEqual([1, 0, 1, 0]);
  });

  const two = (others: readonly (readonly [day: number, value: number, msgType: number])[]): Given => {
    const of = others.map(([at, value, msgType]) => ({
      ...valueAt("tariff0", midnight(at), value),
      msgType,
    }));
    const all = [...(dailyOf([10, 10, 10, 10, 10]).levels.get("tariff0") ?? []), ...of];
    return givenOf(all.toSorted((a, b) => a.ts - b.ts));
  };

  test("TRUST-014 one time of which two types of message say different values", () => {
    const given = two([
      [1, 11, 101],
      [3, 30, 101],
    ]);

    expect(found("duplicate", given, numbers)).toEqual([
      {
        ...{
          field: "tariff0",
          msgType: 101,
          from: midnight(1),
          to: midnight(1),
          values: 1,
          code: "of_types",
        },
        evidence: {
          ...{ one: 10, one_source: sources.polled, one_type: 100 },
          ...{ other: 11, other_source: sources.polled, other_type: 101, values: 1 },
        },
      },
    ]);
  });

  const rival = (at: number, value: number, more: Partial<Rival> = {}): Rival => ({
    ...{ ...valueAt("tariff0", midnight(at), value), isRefused: false, source: sources.imported },
    ...more,
  });
  const disputed = (rivals: readonly Rival[]) =>
    found("duplicate", dailyOf([10, 10, 10, 10], { rivals }), numbers);

  test("TRUST-014 sources that differ for some time are one finding, a person's value is another", () => {
    const person = { source: sources.manual, status: statuses.suspect.id };

    expect(disputed([rival(1, 14), rival(2, 25), rival(3, 37, person), rival(4, 48)])).toMatchObject([
      { code: "of_sources", from: midnight(1), to: midnight(2), values: 2, evidence: { one: 10, other: 14 } },
      { code: "entered", from: midnight(3), to: midnight(3), values: 1 },
      { code: "of_sources", from: midnight(4), to: midnight(4), values: 1 },
    ]);
    expect(disputed([rival(1, 14), rival(3, 37)])).toMatchObject([{ values: 1 }, { values: 1 }]);
  });
});

describe("unit", () => {
  const numbers = { tolerance: 1, least: 10 };
  const scaled = (by: readonly number[], more: Partial<Given> = {}): Given =>
    givenOf(levels(by.map((each, at) => [at, (100 + at) * each])), more);

  test("TRUST-014 is told with the factor, up to where the scale changes back", () => {
    expect(found("unit", scaled([1, 1, 1000, 1000, 1000, 1, 1]), { ...numbers, tolerance: 2 })).toEqual([
      {
        ...{ field: "tariff0", msgType: 100, from: midnight(2), to: midnight(4), values: 3, code: "unit" },
        evidence: { before: 101, value: 102_000, factor: 1000, values: 3 },
      },
    ]);
    expect(times("unit", scaled([1, 1000, 1000]), numbers)).toEqual([[1, 2, 2]]);
    expect(times("unit", scaled([1000, 1, 1]), numbers)).toEqual([[1, 2, 2]]);
  });

  test.each([1000, 4.1868, 3.6, 1163, 100, 1000 / 3.6])(
    "TRUST-014 knows the factor %d and back",
    (factor) => {
      const of = (value: number) =>
        found(
          "unit",
          givenOf(
            levels([
              [0, 5000],
              [1, 5000 * value],
              [2, 5000 * value],
            ]),
          ),
          numbers,
        );

      expect(of(factor)[0]?.evidence["factor"]).toBeCloseTo(factor, 3);
      expect(of(1 / factor)[0]?.evidence["factor"]).toBeCloseTo(1 / factor, 4);
    },
  );

  test("TRUST-014 one odd value is a spike; a second change after it is found", () => {
    expect(times("unit", scaled([1, 1000, 1, 1]), { tolerance: 2, least: 10 })).toEqual([]);
    expect(times("unit", scaled([1, 1, 1000, 1, 1, 1000, 1000]), { tolerance: 2, least: 10 })).toEqual([
      [5, 6, 2],
    ]);
  });

  test("TRUST-014 no factor, a small or a doubtful value before, a decided one: none", () => {
    expect(times("unit", scaled([1, 50, 50]), numbers)).toEqual([]);
    expect(times("unit", scaled([1, 1000, 1000]), { tolerance: 1, least: 100 })).toEqual([[1, 2, 2]]);
    expect(times("unit", scaled([1, 1000, 1000]), { tolerance: 1, least: 101 })).toEqual([]);
    expect(times("unit", withStatus(scaled([1, 1000, 1000]), [0], "suspect"), numbers)).toEqual([]);
    for (const status of decided)
      expect(times("unit", withStatus(scaled([1, 1000, 1000]), [1], status), numbers)).toEqual([]);
    expect(times("unit", scaled([0, 1000, 1000]), { tolerance: 1, least: 0 })).toEqual([]);
    expect(
      times("unit", withStatus(scaled([1, 1000, 1000, 1000]), [1], "rejected"), { tolerance: 2, least: 10 }),
    ).toEqual([[2, 3, 2]]);
  });

  test("TRUST-014 is found in the span that has changed", () => {
    const of = (from: number, to: number) =>
      times("unit", scaled([1, 1000, 1000], spanOf(from, to)), numbers);

    expect([of(2, 9), of(2.1, 9), of(0, 1), of(0, 0.9)].map(({ length }) => length)).toEqual([1, 0, 1, 0]);
  });
});

describe("foreign_serial", () => {
  const serial = { named: "99887766", registered: "41200045", since: midnight(1), lastAt: midnight(2) };
  const of = (given: Partial<typeof serial>, more: Partial<Given> = {}) =>
    found("foreign_serial", dailyOf([24, 24, 24], { serial: { ...serial, ...given }, ...more }), {
      digits: 6,
    });

  test("TRUST-031 is told with both numbers and since when", () => {
    expect(of({})).toEqual([
      {
        ...{ field: "tariff0", msgType: 100, from: midnight(1), to: midnight(2), values: 2 },
        code: "foreign",
        evidence: { named: "99887766", registered: "41200045", since_at: midnight(1) },
      },
    ]);
    expect(of({ since: midnight(1.2), lastAt: midnight(1.5) })).toMatchObject([{ msgType: 1, values: 1 }]);
    expect(of({ since: midnight(1) + 1, lastAt: midnight(2) - 1 })).toMatchObject([{ values: 1 }]);
  });

  test("TRUST-031 a number without digits says nothing, nor does a meter that names none", () => {
    expect([of({ named: "METER" }), of({ registered: "unknown" })]).toEqual([[], []]);
    expect(found("foreign_serial", dailyOf([24]), { digits: 6 })).toEqual([]);
    const changes = [spanOf(2, 3), spanOf(2.1, 3), spanOf(0, 1), spanOf(0, 0.9)];
    expect(changes.map((each) => of({}, each).length)).toEqual([1, 0, 1, 0]);
  });

  test.each([
    ["AB-41 200.045", "ab41200045", true],
    ["0041200045", "41200045", true],
    ["41200045", "2019 41200045", true],
    ["41200045", "200045", true],
    ["000412", "412", true],
    ["41200045", "00045", false],
    ["41200045", "200046", false],
    ["4120004500", "41200045", false],
    ["Ф-7654321", "ф7654321", true],
  ])("TRUST-031 %s and %s are the same: %s", (registered, named, isSame) => {
    expect(isSameSerial(registered, named, 6)).toBe(isSame);
    expect(isSameSerial(named, registered, 6)).toBe(isSame);
  });
});

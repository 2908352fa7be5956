import type { ValidationKind } from "@metrum/contract";
import { sources, statuses, type FieldName } from "@metrum/vocabulary";
import { describe, expect, test } from "vitest";
import { changed, dailyOf, firstMidnight, givenOf, midnight, valueAt } from "#testing/judgedSeries";
import type { Numbers, Rival, Value } from "../judged.ts";
import { judgedProfile, judgedRegister, type Given } from "../series.ts";
import { isSameSerial } from "./foreignSerial.ts";
import { kinds } from "./index.ts";

const day = 86_400;
const found = (kind: ValidationKind, given: Given, numbers: Numbers = {}) =>
  kinds[kind].judge(judgedRegister(given), numbers);
/** Only when, in days, and how many values. */
const times = (kind: ValidationKind, given: Given, numbers: Numbers = {}) =>
  found(kind, given, numbers).map(({ from, to, values }) => [
    (from - firstMidnight) / day,
    (to - firstMidnight) / day,
    values,
  ]);
const withStatus = (given: Given, at: readonly number[], status: keyof typeof statuses, more = {}): Given =>
  changed(given, ({ ts }) =>
    at.some((each) => ts === midnight(each)) ? { status: statuses[status].id, ...more } : {},
  );
const span = (from: number, to: number) => ({ span: { from: midnight(from), to: midnight(to) } });
const decided = ["corrected", "manual", "estimated"] as const;
/** Values of a register at these days. */
const levels = (
  given: readonly (readonly [day: number, value: number])[],
  field: FieldName = "tariff0",
): Value[] => given.map(([at, value]) => valueAt(field, midnight(at), value));

describe("gap", () => {
  const at = [0, 1, 2, 5, 6, 7].map((each) => [each, each] as const);
  const gaps = (more: Partial<Given> = {}, hours = 24) => times("gap", givenOf(levels(at), more), { hours });

  test("TRUST-014 is told with its length and what is missing", () => {
    expect(found("gap", givenOf(levels(at)), { hours: 24 })).toEqual([
      {
        ...{ field: "tariff0", msgType: 100, from: midnight(2), to: midnight(5), values: 2, code: "gap" },
        evidence: { hours: 72, bound: 45.6, values: 2, from_at: midnight(2), to_at: midnight(5) },
      },
    ]);
    expect(found("gap", givenOf(levels(at)), { hours: 70 })[0]?.evidence).toMatchObject({ bound: 70 });
    expect(gaps({}, 72)).toEqual([]);
  });

  test("TRUST-014 lies in the span that has changed or reaches into it", () => {
    expect(gaps(span(5, 7))).toHaveLength(1);
    expect(gaps(span(5.1, 7))).toEqual([]);
    expect(gaps(span(0, 2))).toHaveLength(1);
    expect(gaps(span(0, 1.9))).toEqual([]);
  });

  test("TRUST-014 is no gap where a person has refused a value; where receipt has, it is", () => {
    const given = givenOf(levels([0, 1, 2, 3, 4, 5].map((each) => [each, each])));

    expect(times("gap", withStatus(given, [2, 3], "rejected"), { hours: 24 })).toEqual([]);
    expect(times("gap", withStatus(given, [2, 3], "suspect", { method: "x" }), { hours: 24 })).toEqual([]);
    expect(times("gap", withStatus(given, [2, 3], "rejected", { method: "x" }), { hours: 24 })).toEqual([
      [1, 4, 2],
    ]);
  });
});

describe("frozen", () => {
  const given = (more: Partial<Given> = {}) => dailyOf([24, 0, 0, 0, 24, 0], more);

  test("TRUST-014 is told with the reading at which it stands", () => {
    expect(found("frozen", given(), { longer: 2 })).toEqual([
      {
        ...{ field: "tariff0", msgType: 100, from: midnight(1), to: midnight(4), values: 4, code: "frozen" },
        evidence: { days: 3, value: 24, from_at: midnight(1) },
      },
    ]);
    expect(times("frozen", given(), { longer: 3 })).toEqual([]);
    expect(times("frozen", given(), { longer: 0.9 })).toEqual([
      [1, 4, 4],
      [5, 6, 2],
    ]);
  });

  test("TRUST-014 a counter that has never counted is not frozen", () => {
    expect(times("frozen", dailyOf([0, 0, 0, 0, 24]), { longer: 2 })).toEqual([]);
  });

  test("TRUST-014 doubtful values are passed over, decided ones are not doubted", () => {
    const odd = changed(given(), ({ ts }) =>
      ts === midnight(3) ? { value: 90, status: statuses.suspect.id } : {},
    );

    expect(times("frozen", odd, { longer: 2 })).toEqual([[1, 4, 3]]);
    for (const status of decided)
      expect(times("frozen", withStatus(given(), [3], status), { longer: 2 })).toEqual([]);
    expect(times("frozen", withStatus(given(), [1, 5], "manual"), { longer: 2 })).toEqual([[1, 4, 4]]);
  });

  test("TRUST-014 is found in the span that has changed", () => {
    const of = (from: number, to: number) => times("frozen", given(span(from, to)), { longer: 2 });

    expect([of(4, 9), of(4.1, 9), of(0, 1), of(0, 0.9)].map(({ length }) => length)).toEqual([1, 0, 1, 0]);
  });
});

describe("clock", () => {
  const numbers = { seconds: 60, length: 2 };
  const given = (more: Partial<Given> = {}): Given =>
    dailyOf([24, 24, 24, 24, 24, 24], {
      clock: [0, 70, -90.4, 80, 60, 99].map((offset, at) => ({ ts: midnight(at), offset })),
      ...more,
    });

  test("TRUST-014 is told with its worst difference", () => {
    expect(found("clock", given(), numbers)).toEqual([
      {
        ...{ field: "tariff0", msgType: 100, from: midnight(1), to: midnight(3), values: 3, code: "clock" },
        evidence: { offset: -90, values: 3 },
      },
    ]);
    expect(times("clock", given(), { seconds: 60, length: 3 })).toEqual([[1, 3, 3]]);
    expect(times("clock", given(), { seconds: 60, length: 4 })).toEqual([]);
    expect(found("clock", { ...given(), levels: new Map() }, numbers)[0]?.msgType).toBe(1);
  });

  test("TRUST-014 is found in the span that has changed", () => {
    const of = (from: number, to: number) => times("clock", given(span(from, to)), numbers);

    expect([of(3, 9), of(3.1, 9), of(0, 1), of(0, 0.9)].map(({ length }) => length)).toEqual([1, 0, 1, 0]);
  });
});

describe("prolonged_estimation", () => {
  const given = (more: Partial<Given> = {}) =>
    withStatus(dailyOf([24, 24, 24, 24, 24, 24], more), [2, 3, 4], "estimated");

  test("TRUST-014 is told with its length", () => {
    expect(found("prolonged_estimation", given(), { longer: 2 })).toEqual([
      {
        ...{ field: "tariff0", msgType: 100, from: midnight(2), to: midnight(4), values: 3 },
        ...{ code: "prolonged", evidence: { days: 3, values: 3 } },
      },
    ]);
    expect(times("prolonged_estimation", given(), { longer: 3 })).toEqual([]);
  });

  test("TRUST-014 is found in the span that has changed", () => {
    const of = (from: number, to: number) =>
      times("prolonged_estimation", given(span(from, to)), { longer: 2 });

    expect([of(4, 9), of(4.1, 9), of(0, 2), of(0, 1.9)].map(({ length }) => length)).toEqual([1, 0, 1, 0]);
  });
});

describe("negative", () => {
  const fall = (more: Partial<Given> = {}) =>
    givenOf(
      levels([
        [0, 100],
        [1, 124],
        [2, 90],
        [3, 95],
        [4, 148],
      ]),
      more,
    );

  test("TRUST-014 a fall is told with the value before it", () => {
    const suspect = withStatus(fall(), [2, 3], "suspect");

    expect(found("negative", suspect)).toEqual([
      {
        ...{ field: "tariff0", msgType: 100, from: midnight(2), to: midnight(3), values: 2, code: "fallen" },
        evidence: { values: 2, lowest: 90, before: 124, before_at: midnight(1), value: 90 },
      },
    ]);
    expect(times("negative", fall())).toEqual([[2, 2, 1]]);
    // A doubtful value is none to be below of.
    expect(times("negative", withStatus(fall(), [2], "suspect"))).toEqual([[2, 3, 2]]);
  });

  test("TRUST-014 a value that receipt has doubted is a leap after a lower one, else only suspect", () => {
    const leap = withStatus(dailyOf([24, 24]), [1], "suspect");
    const first = withStatus(dailyOf([24, 24]), [0], "suspect");

    expect(found("negative", leap)).toMatchObject([
      { code: "leapt", evidence: { values: 1, lowest: 24, before: 0, value: 24, grown: 24 } },
    ]);
    expect(found("negative", first)).toMatchObject([{ code: "suspect" }]);
    expect(found("negative", first)[0]?.evidence).toEqual({ values: 1, lowest: 0, value: 0 });
  });

  test("TRUST-014 a value below zero is one, and a value that a person has entered is called that", () => {
    const below = givenOf(
      levels([
        [0, -3],
        [1, 10],
        [2, 20],
      ]),
    );
    const entered = changed(fall(), ({ ts }) => (ts === midnight(2) ? { source: sources.manual } : {}));
    const firstEntered = changed(withStatus(dailyOf([24]), [0], "suspect"), () => ({
      source: sources.manual,
    }));

    expect(found("negative", below)).toMatchObject([{ code: "below_zero", evidence: { lowest: -3 } }]);
    expect(
      found(
        "negative",
        givenOf(
          levels([
            [0, 0],
            [1, 10],
          ]),
        ),
      ),
    ).toEqual([]);
    expect(found("negative", entered)).toMatchObject([{ code: "entered", evidence: { before: 124 } }]);
    expect(found("negative", firstEntered)[0]?.code).toBe("suspect");
  });

  test.each([...decided, "rejected"] as const)("TRUST-014 a value that is %s is none", (status) => {
    expect(times("negative", withStatus(fall(), [2, 3], status))).toEqual([]);
  });

  test("TRUST-014 a known reset between the two values explains a fall, and a profile has none", () => {
    const of = (at: number) => times("negative", fall({ known: [midnight(at)] }));

    expect([of(2), of(1.1), of(1), of(2.1)].map(({ length }) => length)).toEqual([0, 0, 1, 1]);
    const values = levels(
      [
        [0, 5],
        [1, 4],
        [2, -1],
      ],
      "power_a_plus",
    );
    const profile = judgedProfile(givenOf(values));
    expect(profile && kinds.negative.judge(profile, {}).map(({ code, from }) => [code, from])).toEqual([
      ["below_zero", midnight(2)],
    ]);
  });

  test("TRUST-014 is found in any register, in the span that has changed", () => {
    const given = (from: number, to: number): Given => ({
      ...dailyOf([24, 24, 24], span(from, to)),
      levels: new Map([
        [
          "tariff0",
          levels([
            [0, 0],
            [3, 72],
          ]),
        ],
        [
          "tariff1",
          withStatus(
            givenOf(
              levels(
                [
                  [0, 9],
                  [1, 5],
                  [2, 4],
                  [3, 10],
                ],
                "tariff1",
              ),
            ),
            [1, 2],
            "suspect",
          ).levels.get("tariff1") ?? [],
        ],
      ]),
    });
    const of = (from: number, to: number) => found("negative", given(from, to));

    expect(of(0, 3)).toMatchObject([{ field: "tariff1", values: 2 }]);
    expect([of(2, 9), of(2.1, 9), of(0, 1), of(0, 0.9)].map(({ length }) => length)).toEqual([1, 0, 1, 0]);
  });
});

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
    const of = (from: number, to: number) => times("duplicate", repeated([1, 2, 3], span(from, to)), numbers);
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
    const of = (from: number, to: number) => times("unit", scaled([1, 1000, 1000], span(from, to)), numbers);

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
    const changes = [span(2, 3), span(2.1, 3), span(0, 1), span(0, 0.9)];
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

import { sources, statuses, type FieldName } from "@metrum/vocabulary";
import { describe, expect, test } from "vitest";
import { decided, found, spanOf, times, withStatus } from "#testing/series/judgedKinds";
import { changed, dailyOf, givenOf, midnight, valueAt } from "#testing/series/judgedSeries";
import type { Value } from "../judged/judged.ts";
import { judgedProfile, type Given } from "../judged/series.ts";
import { kinds } from "./index.ts";

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
    expect(gaps(spanOf(5, 7))).toHaveLength(1);
    expect(gaps(spanOf(5.1, 7))).toEqual([]);
    expect(gaps(spanOf(0, 2))).toHaveLength(1);
    expect(gaps(spanOf(0, 1.9))).toEqual([]);
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
    const of = (from: number, to: number) => times("frozen", given(spanOf(from, to)), { longer: 2 });

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
    const of = (from: number, to: number) => times("clock", given(spanOf(from, to)), numbers);

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
      times("prolonged_estimation", given(spanOf(from, to)), { longer: 2 });

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
      ...dailyOf([24, 24, 24], spanOf(from, to)),
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

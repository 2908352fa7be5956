import { dividedGapDays } from "@metrum/contract/access";
import { statuses, type AccountingPointId, type DeviceId, type FieldName } from "@metrum/vocabulary";
import { describe, expect, it } from "vitest";
import { decimal } from "#core";
import type { CounterReading } from "#metering/messages";
import { dayFlags } from "../records/tables.ts";
import { daysOf, knownOf, nodesOfRegister, otherRegisters, registersOf, type Sources } from "./days.ts";
import { ratioSteps } from "./ratios.ts";
import type { Tie } from "./tieStore.ts";

const [hour, day] = [3600, 86_400];
/** Two days before the end of a month. */
const midnight = Date.parse("2026-05-30T00:00:00Z") / 1000;
const first = midnight / day;
const [meter, second] = [1, 2] as DeviceId[];

const aTie = (given: Partial<Tie> = {}): Tie => ({
  ...{ pointId: 1 as AccountingPointId, deviceId: meter ?? (1 as DeviceId), field: "tariff0" },
  ...{ from: midnight - 400 * day, to: null, opening: {}, closing: {} },
  ...given,
});
type Values = readonly (readonly [hours: number, value: number])[];
const readings = (values: Values): CounterReading[] =>
  values.map(([hours, value]) => ({
    ...{ ts: midnight + hours * hour, value, status: statuses.measured.id, msgType: 1, isCalculated: false },
  }));
const sourcesOf = (
  values: Readonly<Partial<Record<FieldName, Values>>>,
  more: Partial<Sources> = {},
): Sources => ({
  ...{ zone: "UTC", ties: [aTie()], ratios: ratioSteps([]), added: [] },
  readings: new Map(
    [meter, second].map((id) => [
      id ?? (1 as DeviceId),
      new Map(Object.entries(values).map(([name, all]) => [name as FieldName, readings(all)])),
    ]),
  ),
  rangeOf: () => ({ capacity: undefined, start: 0n }),
  read: [{ from: midnight - 60 * day, to: midnight + 60 * day }],
  ...more,
});
const rowsOf = (sources: Sources, days: readonly number[]) =>
  daysOf(
    sources,
    "main",
    days.map((n) => first + n),
  ).rows;

describe("TRUST-011 a day of a point", () => {
  const values: Values = [
    [0, 0],
    [12, 12],
    [60, 50],
    [72, 51],
  ];

  it("has the first and the last register, the worst status and the gap that ends in it", () => {
    const none = { gap_from: null, gap_day: null, gap_sec: null, gap_estimated: "0", gap_amount: null };
    expect(rowsOf(sourcesOf({ tariff0: values }), [0, 1, 2, 3])).toMatchObject([
      { day: "2026-05-30", start_value: 0, end_value: 12, status: statuses.measured.id, ratio: "1", ...none },
      {
        ...{ day: "2026-06-01", start_value: 50, end_value: 51, status: statuses.measured.id },
        ...{ gap_amount: "38", gap_from: midnight + 12 * hour, gap_day: "2026-05-30" },
        ...{ gap_sec: 48 * hour, gap_estimated: "0" },
      },
      { day: "2026-06-02", amount: null, start_value: 51, end_value: 51, status: null, ...none },
    ]);
  });

  it("has the closing reading of its end, which is none of the next day", () => {
    const until = (hours: number) =>
      rowsOf(
        sourcesOf(
          { tariff0: [[0, 10]] },
          { ties: [aTie({ to: midnight + hours * hour, closing: { tariff0: 15 } })] },
        ),
        [0, 1],
      ).map((row) => [row.day.slice(8), row.end_value]);
    // An hour before the closing of the second the register at midnight is known.
    expect([until(24), until(25)]).toEqual([
      [["30", 15]],
      [
        ["30", 14.8],
        ["31", 15],
      ],
    ]);
  });

  it("recognises a reset that is seen at its end, and no other day does", () => {
    const sources = sourcesOf({
      tariff0: [
        [20, 100],
        [24, 3],
      ],
    });
    const seen = (n: number) => daysOf(sources, "main", [first + n]).recognised.length;
    expect([seen(0), seen(1)]).toEqual([1, 0]);
  });

  it("says that a ratio or a meter has changed where it begins, and not where it ends", () => {
    const hourly: Values = Array.from({ length: 73 }, (_, n) => [n, n] as const);
    const change = { kind: "ratio", from: midnight + day, to: null, factor: decimal("10") } as const;
    const ratios = ratioSteps([{ ...change, reading: {} }]);
    const flags = (more: Partial<Sources>) =>
      rowsOf(sourcesOf({ tariff0: hourly }, more), [0, 1, 2]).map((row) => row.flags);
    expect(flags({ ratios })).toEqual([0, dayFlags.ratio, 0]);
    const next = (deviceId: DeviceId | undefined) => [
      aTie({ to: midnight + day }),
      aTie({ from: midnight + day, ...(deviceId === undefined ? {} : { deviceId }) }),
    ];
    expect([flags({ ties: next(second) }), flags({ ties: next(meter) })]).toEqual([
      [0, dayFlags.replaced, 0],
      [0, 0, 0],
    ]);
  });

  it("has the ratio of the counter that measured it last", () => {
    const term = { kind: "ratio", from: 0, to: null, factor: decimal("10"), reading: {} } as const;
    const ties = [
      aTie({ from: midnight + hour, to: midnight + day }),
      aTie({ from: midnight + day, field: "in1", ...(second === undefined ? {} : { deviceId: second }) }),
    ];
    const hourly: Values = Array.from({ length: 49 }, (_, n) => [n, n] as const);
    const rows = rowsOf(
      sourcesOf({ tariff0: hourly, in1: hourly }, { ties, ratios: ratioSteps([term]) }),
      [0, 1],
    );
    expect(rows.map(({ ratio, amount }) => [ratio, amount])).toEqual([
      ["10", "230"],
      ["1", "24"],
    ]);
  });
});

describe("TRUST-027 a gap over an end of a month", () => {
  const gap: Values = [
    [12, 0],
    [108, 96],
  ];

  it("is divided evenly as an estimate by choice of the company, and the register there begins the month", () => {
    const rows = rowsOf(sourcesOf({ tariff0: gap }, { dividesFrom: first }), [0, 1, 2, 3, 4]);
    expect(rows.filter((row) => row.gap_amount !== null)).toMatchObject([
      {
        ...{ day: "2026-05-31", gap_amount: "36", gap_estimated: "36", gap_day: "2026-05-30", end_value: 36 },
        ...{ gap_from: midnight + 12 * hour, status: statuses.estimated.id },
      },
      { day: "2026-06-03", gap_amount: "60", gap_estimated: "60", gap_day: "2026-06-01", gap_sec: 60 * hour },
    ]);
    expect(
      rows.every(({ flags, gap_amount }) => ((flags & dayFlags.divided) !== 0) === (gap_amount !== null)),
    ).toBe(true);
    expect(rows.find((row) => row.day === "2026-06-01")).toMatchObject({ start_value: 36, amount: null });
    expect(rowsOf(sourcesOf({ tariff0: gap }), [4])).toMatchObject([
      { gap_amount: "96", gap_estimated: "0" },
    ]);
  });

  it("is divided if it begins on the chosen day or later, is not too long, and has the end within", () => {
    const parts = (values: Values, dividesFrom: number | null = first - 40) =>
      knownOf(sourcesOf({ tariff0: values }, { dividesFrom }), "main").flatMap(({ pieces }) =>
        pieces.map(({ isDivided }) => isDivided),
      );
    expect([parts(gap, first), parts(gap, first + 1), parts(gap, null)]).toEqual([
      [true, true],
      [false],
      [false],
    ]);
    const long = (days: number): Values => [
      [12, 0],
      [12 + days * 24, 96],
    ];
    expect([
      parts(long(dividedGapDays)).includes(true),
      parts(long(dividedGapDays + 1)).includes(true),
    ]).toEqual([true, false]);
    const within = (from: number, to: number) =>
      parts([
        [from, 0],
        [to, 96],
      ]);
    expect([within(48, 144), within(-48, 48), within(47.9, 144).includes(true)]).toEqual([
      [false],
      [false],
      false,
    ]);
  });
});

describe("AP-019 registers of a point", () => {
  it("are the counters of its electricity meters by tariffs, read or noted, but the main one", () => {
    const values = { tariff2: [[0, 1]], tariff0: [[0, 1]], voltage1: [[0, 1]] } as const;
    const tie = aTie({ opening: { tariff1: 1 }, closing: { tariff_negative0: 2 } });
    expect(otherRegisters(sourcesOf(values, { ties: [tie] }))).toEqual([
      "tariff1",
      "tariff2",
      "tariff_negative0",
    ]);
    expect(otherRegisters(sourcesOf(values, { ties: [aTie({ field: "in1" })] }))).toEqual([]);
    expect(otherRegisters({ ties: [aTie({ deviceId: 9 as DeviceId })], readings: new Map() })).toEqual([]);
  });

  it("are none of another counter, nor of a name that no counter has", () => {
    const values = { tariff1: [[0, 1]] } as const;
    expect(knownOf(sourcesOf(values, { ties: [aTie({ field: "in1" })] }), "tariff1")).toEqual([]);
    expect(knownOf(sourcesOf(values), "nothing")).toEqual([]);
    expect(knownOf(sourcesOf(values), "tariff1")).toHaveLength(1);
    expect(nodesOfRegister(sourcesOf(values), aTie({ field: "in1" }), "tariff1")).toEqual([]);
    expect(nodesOfRegister(sourcesOf(values), aTie({ deviceId: 9 as DeviceId }), "tariff1")).toEqual([]);
  });

  it("are made once of the same readings, and read in any of the spans, their ends included", () => {
    const remembered: NonNullable<Sources["remembered"]> = new WeakMap();
    const sources = sourcesOf(
      { tariff0: [[0, 1]] },
      {
        remembered,
        read: [
          { from: 100, to: 200 },
          { from: 300, to: 400 },
        ],
      },
    );
    const nodes = nodesOfRegister(sources, aTie(), "main");
    expect(nodes).toHaveLength(1);
    expect(nodesOfRegister(sources, aTie(), "main")).toBe(nodes);
    const [register] = registersOf(sources, "main");
    const at = [99, 100, 200, 201, 299, 300, 400, 401].map((ts) => register?.isRead(ts));
    expect(at).toEqual([false, true, true, false, false, true, true, false]);
  });
});

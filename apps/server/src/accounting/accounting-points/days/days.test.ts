import { expect, it } from "vitest";
import { statuses, type AccountingPointId, type DeviceId, type FieldName } from "@metrum/vocabulary";
import { decimal } from "#core";
import type { CounterReading } from "#metering/messages";
import { withLoad } from "#testing/load";
import { dayFlags } from "../records/tables.ts";
import type { AddedAmount } from "./added.ts";
import { daysOf, type DayRow, type Sources } from "./days.ts";
import { ratioSteps, type RatioTerm } from "./ratios.ts";
import type { Tie } from "./tieStore.ts";

const midnight = Date.parse("2026-05-10T00:00:00Z") / 1000;
const day = 86_400;
const hour = 3600;
const first = midnight / day;
const meter = 1 as DeviceId;
const second = 2 as DeviceId;

const aTie = (given: Partial<Tie> = {}): Tie => ({
  pointId: 1 as AccountingPointId,
  deviceId: meter,
  field: "tariff_negative0",
  from: midnight - 400 * day,
  to: null,
  opening: {},
  closing: {},
  ...given,
});
/** Hours after midnight of the first day, and the value then. */
type Values = readonly (readonly [number, number, Partial<CounterReading>?])[];
const readings = (values: Values): CounterReading[] =>
  values.map(([hours, value, given]) => ({
    ts: midnight + hours * hour,
    value,
    status: statuses.measured.id,
    msgType: 1,
    isCalculated: false,
    ...given,
  }));
const archive = { msgType: 101 };

interface Given {
  readonly values?: Values;
  readonly ties?: readonly Tie[];
  readonly others?: Values;
  readonly terms?: readonly RatioTerm[];
  readonly added?: readonly AddedAmount[];
  readonly capacity?: number;
  readonly field?: FieldName;
  readonly zone?: string;
  readonly name?: string;
}

/** Rows of the days from the first to the fifth, and what was recognised in them. */
function days({ values = [], others = [], terms = [], added = [], zone = "UTC", ...given }: Given) {
  const field = given.field ?? "tariff_negative0";
  const { capacity } = given;
  const range = withLoad(
    { capacity: capacity === undefined ? undefined : BigInt(capacity) * 1_000_000n, start: 0n },
    5,
  );
  const sources: Sources = {
    zone,
    ties: given.ties ?? [aTie()],
    ratios: ratioSteps(terms),
    added,
    readings: new Map([
      [meter, new Map([[field, readings(values)]])],
      [second, new Map([[field, readings(others)]])],
    ]),
    rangeOf: () => range,
    read: [{ from: midnight - 10 * day, to: midnight + 10 * day }],
  };
  return daysOf(
    sources,
    given.name ?? "main",
    [0, 1, 2, 3, 4].map((n) => first + n),
  );
}
const rows = (given: Given): Partial<DayRow>[] =>
  days(given).rows.map(({ day: name, amount, known_sec, ...row }) => ({
    day: name.slice(8),
    amount,
    known_sec,
    ...(row.gap_amount === null ? {} : { gap_amount: row.gap_amount, gap_day: row.gap_day?.slice(8) ?? "" }),
    ...(row.estimated === "0" ? {} : { estimated: row.estimated }),
    ...(row.flags === 0 ? {} : { flags: row.flags }),
  }));
const term = (given: Partial<RatioTerm> & Pick<RatioTerm, "from">): RatioTerm => ({
  kind: "ratio",
  to: null,
  factor: decimal("10"),
  reading: {},
  ...given,
});

it("TRUST-011 a day between readings at midnight is their difference, to the last decimal", () => {
  expect(
    rows({
      values: [
        [0, 0.1],
        [24, 0.3],
        [48, 0.7],
      ],
    }),
  ).toEqual([
    { day: "10", amount: "0.2", known_sec: day },
    { day: "11", amount: "0.4", known_sec: day },
    { day: "12", amount: null, known_sec: 0 },
  ]);
});

it("TRUST-011 midnight is interpolated between near readings, and said if they are over an hour apart", () => {
  expect(
    rows({
      values: [
        [0, 0],
        [23, 23],
        [25, 25],
        [47.5, 47.5],
        [48.5, 48.5],
      ],
    }),
  ).toEqual([
    { day: "10", amount: "24", known_sec: day, flags: dayFlags.interpolated },
    { day: "11", amount: "24", known_sec: day, flags: dayFlags.interpolated },
    { day: "12", amount: "0.5", known_sec: 1800 },
  ]);
});

it("TRUST-011 over midnights without readings there is a gap: its days are unknown, its amount is one", () => {
  expect(
    rows({
      values: [
        [0, 0],
        [12, 12],
        [60, 50],
        [72, 51],
      ],
    }),
  ).toEqual([
    { day: "10", amount: "12", known_sec: day / 2 },
    { day: "12", amount: "1", known_sec: day / 2, gap_amount: "38", gap_day: "10" },
    { day: "13", amount: null, known_sec: 0 },
  ]);
});

it("TRUST-011 a rollover counts on, a reset is unknown and never negative; both are recognised once", () => {
  const rollover = days({
    values: [
      [0, 999_990],
      [12, 999_999],
      [24, 10],
    ],
    capacity: 1_000_000,
  });
  expect([rollover.rows[0]?.amount, rollover.rows[0]?.flags]).toEqual(["20", dayFlags.rollover]);
  expect(rollover.recognised).toMatchObject([
    { ts: midnight + day, kind: "rollover", before: 999_999, after: 10 },
  ]);

  const reset = days({
    values: [
      [0, 100],
      [6, 110],
      [12, 3],
      [24, 5],
    ],
  });
  expect([reset.rows[0]?.amount, reset.rows[0]?.known_sec, reset.rows[0]?.flags]).toEqual([
    "12",
    18 * hour,
    dayFlags.reset,
  ]);
  expect(reset.recognised).toMatchObject([
    { ts: midnight + 12 * hour, kind: "reset", before: 110, after: 3 },
  ]);
});

it("TRUST-025 a day whose growth the usual load decides about says so, so that it is judged anew with it", () => {
  const flagsOf = (grown: number, capacity = 1_000_000) =>
    days({
      values: [
        [0, 10],
        [24, 10 + grown],
      ],
      capacity,
    }).rows[0]?.flags;
  // Of sixty thousand hours a quarter: 4.17 an hour, 100 a day.
  expect([flagsOf(99), flagsOf(101)]).toEqual([0, dayFlags.much]);
  expect(flagsOf(601), "five times a load of 5 an hour").toBe(dayFlags.much);
  expect([flagsOf(602), flagsOf(1_000_000, 10 ** 9)]).toEqual([dayFlags.reset, dayFlags.reset]);
});

it("TRUST-011 a reset in a gap leaves all of it unknown", () => {
  expect(
    rows({
      values: [
        [0, 100],
        [12, 110],
        [60, 3],
        [72, 5],
      ],
    }),
  ).toEqual([
    { day: "10", amount: "10", known_sec: day / 2 },
    { day: "12", amount: "2", known_sec: day / 2, flags: dayFlags.reset },
    { day: "13", amount: null, known_sec: 0 },
  ]);
});

it("AP-019 a replacement counts both meters, from opening and to closing reading, and no time without a meter", () => {
  const ties = [
    aTie({ to: midnight + 10 * hour, closing: { tariff_negative0: 1010 } }),
    aTie({ deviceId: second, from: midnight + 14 * hour, opening: { tariff_negative0: 5 } }),
  ];
  const given = {
    ties,
    values: [
      [0, 1000],
      [8, 1008],
    ] as Values,
    others: [
      [20, 11],
      [24, 15],
    ] as Values,
  };

  expect(rows(given)[0]).toEqual({
    ...{ day: "10", amount: "20", known_sec: 20 * hour },
    flags: dayFlags.replaced | dayFlags.unmetered,
  });
  const added = {
    field: "main",
    from: midnight + 10 * hour,
    to: midnight + 14 * hour,
    amount: decimal("4"),
    note: "",
  };
  expect(rows({ ...given, added: [added] })[0]).toEqual({
    day: "10",
    amount: "24",
    known_sec: day,
    estimated: "4",
    flags: dayFlags.replaced,
  });
});

it("AP-019 BAL-006 time between two meters that nobody counted is not expected, before and after them it is", () => {
  const ties = [
    aTie({
      from: midnight + 2 * hour,
      to: midnight + 10 * hour,
      opening: { tariff_negative0: 1000 },
      closing: { tariff_negative0: 1008 },
    }),
    aTie({
      deviceId: second,
      ...{ from: midnight + 38 * hour, to: midnight + 40 * hour },
      ...{ opening: { tariff_negative0: 5 }, closing: { tariff_negative0: 7 } },
    }),
  ];
  const partOf = (from: number, to: number) => ({
    ...{ field: "main", amount: decimal("4"), note: "" },
    ...{ from: midnight + from * hour, to: midnight + to * hour },
  });
  const lengths = (added: readonly AddedAmount[]) =>
    days({ ties, added }).rows.map(({ length_sec, known_sec, flags }) => [
      ...[length_sec / hour, known_sec / hour],
      (flags & dayFlags.unmetered) !== 0,
    ]);

  expect(lengths([])).toEqual([
    [10, 8, true],
    [10, 2, true],
  ]);
  // An amount counts a part of it, which is expected again.
  expect(lengths([partOf(12, 30)])).toEqual([
    [22, 20, true],
    [16, 8, true],
  ]);
  expect(lengths([partOf(10, 38)])).toEqual([
    [24, 22, false],
    [24, 16, false],
  ]);
  expect(lengths([partOf(0, 48)])).toEqual([
    [24, 24, false],
    [24, 24, false],
  ]);
});

it("AP-019 a replacement without readings at its ends begins with the first reading of the new meter", () => {
  const ties = [aTie({ to: midnight + 10 * hour }), aTie({ deviceId: second, from: midnight + 10 * hour })];

  expect(
    rows({
      ties,
      values: [
        [0, 1000],
        [2, 1001],
      ],
      others: [
        [20, 11],
        [24, 15],
      ],
    })[0],
  ).toMatchObject({
    amount: "5",
    known_sec: 6 * hour,
  });
});

it("TRUST-019 a ratio holds from its beginning: the day is divided at the reading of the change", () => {
  const change = term({ from: midnight + 12 * hour, reading: { tariff_negative0: 4 } });

  expect(
    rows({
      values: [
        [0, 0],
        [24, 10],
      ],
      terms: [change],
    })[0],
  ).toEqual({
    day: "10",
    // 4 before it, 6 after it by ten.
    amount: "64",
    known_sec: day,
    flags: dayFlags.ratio,
  });
});

it("TRUST-019 TRUST-026 without a reading of the change what lies around it is unknown, however near it was read", () => {
  const change = term({ from: midnight + 12 * hour });

  expect(
    rows({
      values: [
        [0, 0],
        [11, 11],
        [13, 13],
        [24, 24],
      ],
      terms: [change],
    })[0],
  ).toMatchObject({
    amount: "121",
    known_sec: 22 * hour,
  });
  expect(
    rows({
      values: [
        [0, 0],
        [24, 10],
      ],
      terms: [change],
    }),
  ).toMatchObject([
    { amount: null, known_sec: 0 },
    { amount: null, known_sec: 0 },
  ]);
});

it("TRUST-019 transformers come before the ratio of the point, and that before the device's", () => {
  const terms = [
    term({ kind: "device", from: 0, factor: decimal("3") }),
    term({ from: midnight + day, factor: decimal("20") }),
    term({
      kind: "current_transformer",
      from: midnight + 2 * day,
      factor: decimal("30"),
      to: midnight + 3 * day,
    }),
    term({
      kind: "voltage_transformer",
      from: midnight + 2 * day,
      factor: decimal("0.5"),
      to: midnight + 3 * day,
    }),
  ];

  expect(
    days({
      values: [
        [0, 0],
        [24, 1],
        [48, 2],
        [72, 3],
        [96, 4],
      ],
      terms,
    }).rows.map(({ amount, ratio }) => [amount, ratio]),
  ).toEqual([
    ["3", "3"],
    ["20", "20"],
    ["15", "15"],
    ["20", "20"],
    [null, "20"],
  ]);
});

it("TRUST-011 what rests on an estimated value is estimated, unless measured ones around it tell the same", () => {
  const status = statuses.estimated.id;

  expect(
    rows({
      values: [
        [0, 0],
        [12, 7, { status }],
        [24, 10],
      ],
    })[0],
  ).toEqual({
    day: "10",
    amount: "10",
    known_sec: day,
  });
  expect(
    rows({
      values: [
        [0, 0],
        [24, 7, { status }],
        [48, 10],
      ],
    }).slice(0, 2),
  ).toEqual([
    { day: "10", amount: "7", known_sec: day, estimated: "7" },
    { day: "11", amount: "3", known_sec: day, estimated: "3" },
  ]);
});

it("TRUST-011 an archive of a meter with a wrong clock is no reset, and a calculated value adds nothing to readings", () => {
  const wrong = rows({
    values: [
      [0, 100],
      [12, 112],
      [23.9, 124],
      [24, 130, archive],
      [24.1, 124.1],
      [36, 136],
    ],
  });
  expect(wrong[0]).toMatchObject({ amount: "24.05", known_sec: day });
  expect(wrong[0]?.flags).toBeUndefined();
  const calculated = rows({
    values: [
      [0, 100],
      [23, 123],
      [24, 999, { ...archive, isCalculated: true }],
      [25, 125],
    ],
  });
  expect(calculated[0]).toMatchObject({ amount: "24" });
  // Without readings around it, it is all that is known.
  const alone = rows({
    values: [
      [0, 100, { ...archive, isCalculated: true }],
      [24, 109, { ...archive, isCalculated: true }],
    ],
  });
  expect(alone[0]).toMatchObject({ amount: "9", known_sec: day });
});

it("TRUST-011 days of 23 and 25 hours, and of a changed law, have their own length", () => {
  const at = (iso: string): number => (Date.parse(iso) / 1000 - midnight) / hour;
  const of = (zone: string, values: Values, name: string) => {
    const start = Date.parse(`${name}T00:00:00Z`) / 1000 / day;
    const sources: Sources = {
      zone,
      ties: [aTie({ from: 0 })],
      ratios: ratioSteps([]),
      added: [],
      readings: new Map([[meter, new Map([["tariff_negative0" as FieldName, readings(values)]])]]),
      rangeOf: () => ({ capacity: undefined, start: 0n }),
      read: [{ from: start * day - 3 * day, to: start * day + 3 * day }],
    };
    return daysOf(sources, "main", [start]).rows[0];
  };

  expect(
    of(
      "Europe/Berlin",
      [
        [at("2026-03-28T23:00:00Z"), 0],
        [at("2026-03-29T22:00:00Z"), 23],
      ],
      "2026-03-29",
    ),
  ).toMatchObject({ amount: "23", length_sec: 82_800, known_sec: 82_800 });
  expect(
    of(
      "Europe/Berlin",
      [
        [at("2026-10-24T22:00:00Z"), 0],
        [at("2026-10-25T23:00:00Z"), 25],
      ],
      "2026-10-25",
    ),
  ).toMatchObject({ amount: "25", length_sec: 90_000, known_sec: 90_000 });
  // On 2024-03-01 the clocks of Almaty went back by law: the last day of February had 25 hours.
  expect(
    of(
      "Asia/Almaty",
      [
        [at("2024-02-28T18:00:00Z"), 0],
        [at("2024-02-29T19:00:00Z"), 25],
      ],
      "2024-02-29",
    ),
  ).toMatchObject({ amount: "25", length_sec: 90_000 });
});

it("AP-019 registers: other counters of an electricity meter are registers by their names", () => {
  const tie = aTie({ field: "tariff0" });

  expect(
    rows({
      ties: [tie],
      field: "tariff1",
      name: "tariff1",
      values: [
        [0, 1],
        [24, 3],
      ],
    })[0],
  ).toMatchObject({ amount: "2" });
  expect(
    rows({
      field: "tariff_negative0",
      name: "tariff1",
      values: [
        [0, 1],
        [24, 3],
      ],
    }),
  ).toEqual([]);
});

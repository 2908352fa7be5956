import { statuses } from "@metrum/vocabulary";
import { expect, it } from "vitest";
import type { CounterReading } from "#metering/messages";
import { nodesOf } from "./nodes.ts";

const manual = { status: statuses.manual.id };
const confirmed = { status: statuses.corrected.id };
const read = (hours: number, value: number, more: Partial<CounterReading> = {}): CounterReading => ({
  ...{ ts: hours * 3600, value, status: statuses.measured.id, msgType: 1, isCalculated: false },
  ...more,
});
const counted = (...readings: CounterReading[]) =>
  nodesOf(
    readings.toSorted((a, b) => a.ts - b.ts || a.msgType - b.msgType),
    { capacity: undefined, start: 0n },
  ).map(({ value }) => Number(value) / 1e6);

it.each([
  ["an hourly archive", { msgType: 100 }, {}],
  ["a daily archive", { msgType: 101 }, {}],
  ["a daily beside an hourly archive", { msgType: 101 }, { msgType: 100 }],
  ["a reading", {}, { msgType: 100 }],
])("TRUST-011 TRUST-028 %s counts before what was measured once it is confirmed", (_, type, measured) => {
  const countedWith = (status: object) =>
    counted(read(0, 100), read(24, 110, measured), read(24, 112, { ...type, ...status }), read(48, 120));

  expect(countedWith(confirmed)).toEqual([100, 112, 120]);
  expect(countedWith(manual)).toEqual([100, 110, 120]);
});

it("TRUST-011 what a person has entered as an archive is not left out as a fault of a clock", () => {
  const archive = (more = {}) => counted(read(22, 22), read(24, 30, { msgType: 101, ...more }), read(26, 26));

  expect([archive(), archive(manual)]).toEqual([
    [22, 26],
    [22, 30, 26],
  ]);
});

const hourly = { msgType: 100 };

it.each([
  [
    "entered after them, below them",
    [
      [0, 1000],
      [1, 1001],
      [2, 1002],
      [5.5, 500, confirmed],
    ],
  ],
  [
    "entered before them, above them",
    [
      [0, 1500, confirmed],
      [1, 1001],
      [2, 1002],
      [5, 1005],
    ],
  ],
  [
    "that was measured after a reset",
    [
      [0, 1000],
      [4, 1004],
      [5.5, 3, { msgType: 1 }],
    ],
  ],
] as const)(
  "TRUST-001 TRUST-028 archives stay beside a reading %s: what they count is known",
  (_, values) => {
    const all = values.map(([hours, value, more = {}]) => read(hours, value, { ...hourly, ...more }));

    expect(counted(...all)).toEqual(values.map(([, value]) => value));
  },
);

it.each([
  [
    "one of them agrees with the reading",
    [
      [3, 1007],
      [4, 1004],
      [5.5, 1005.5, confirmed],
    ],
    [1004, 1005.5],
  ],
  [
    "it is alone",
    [
      [4, 1007, { msgType: 103 }],
      [5.5, 1005.5, confirmed],
    ],
    [1005.5],
  ],
  [
    "they contradict each other too",
    [
      [3, 1009],
      [4, 1007],
      [5.5, 1005.5, confirmed],
    ],
    [1005.5],
  ],
  [
    "readings stand on both sides",
    [
      [0, 1000, { msgType: 1 }],
      [2, 1009],
      [3, 1009],
      [4, 1004, { msgType: 1 }],
    ],
    [1000, 1004],
  ],
  [
    "they were calculated",
    [
      [3, 1009, { isCalculated: true }],
      [4, 1010, { isCalculated: true }],
      [5.5, 3, confirmed],
    ],
    [3],
  ],
] as const)(
  "TRUST-011 an archive that contradicts a reading is a fault of its clock where %s",
  (_, values, left) => {
    const all = values.map(([hours, value, more = {}]) => read(hours, value, { ...hourly, ...more }));

    expect(counted(...all)).toEqual(left);
  },
);

import { statuses } from "@metrum/vocabulary";
import { expect, it } from "vitest";
import type { CounterReading } from "#metering/messages";
import { nodesOf } from "./nodes.ts";

const manual = { status: statuses.manual.id };
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
  ["an hourly archive", { msgType: 100, ...manual }, {}],
  ["a daily archive", { msgType: 101, ...manual }, {}],
  ["a daily before an hourly archive", { msgType: 101, ...manual }, { msgType: 100 }],
  ["a reading", manual, { msgType: 100 }],
])("TRUST-011 %s entered by hand counts before what was measured at its instant", (_, entered, measured) => {
  expect(counted(read(0, 100), read(24, 110, measured), read(24, 112, entered), read(48, 120))).toEqual([
    100, 112, 120,
  ]);
});

it("TRUST-011 what a person has entered as an archive is not left out as a fault of a clock", () => {
  const archive = (more = {}) => counted(read(22, 22), read(24, 30, { msgType: 101, ...more }), read(26, 26));

  expect([archive(), archive(manual)]).toEqual([
    [22, 26],
    [22, 30, 26],
  ]);
});

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

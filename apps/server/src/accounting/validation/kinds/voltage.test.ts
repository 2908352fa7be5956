import { statuses, type FieldName } from "@metrum/vocabulary";
import { expect, test } from "vitest";
import { changed, dailyOf, firstMidnight, midnight, valueAt } from "#testing/series/judgedSeries";
import type { Numbers, Value } from "../judged/judged.ts";
import { judgedRegister, type Given } from "../judged/series.ts";
import { voltage } from "./voltage.ts";

const slotSec = 600;
const numbers: Numbers = {
  ...{ nominal: 230, percent: 10, share: 5, count: 4, absent: 10, current: 0.1, length: 2 },
};

type Shown = Partial<Record<FieldName, readonly number[]>>;

/** States every ten minutes, or oftener. */
function states(shown: Shown, more: Partial<Given> = {}, everySec = slotSec): Given {
  const of = ([field, values]: readonly [FieldName, readonly number[]]): readonly [FieldName, Value[]] => [
    field,
    values.map((value, at) => ({ ...valueAt(field, firstMidnight + at * everySec, value), msgType: 2 })),
  ];
  const given = dailyOf([24, 24], more);
  const all = Object.entries(shown) as [FieldName, readonly number[]][];
  return { ...given, levels: new Map([...given.levels, ...all.map(of)]) };
}
const found = (given: Given, own: Numbers = {}) =>
  voltage.judge(judgedRegister(given), { ...numbers, ...own });
const slots = (given: Given, own: Numbers = {}) =>
  found(given, own).map(({ code, field, from, to, values }) => [
    ...[code, field, (from - firstMidnight) / slotSec, (to - firstMidnight) / slotSec, values],
  ]);

test("TRUST-031 a voltage outside of its band is told with the worst mean and its share", () => {
  const given = states({ voltage1: [230, 253, 207, 254, 206, 260, 230, 231] });

  expect(found(given)).toEqual([
    {
      ...{ field: "voltage1", msgType: 2, code: "outside", values: 3 },
      ...{ from: firstMidnight + 3 * slotSec, to: firstMidnight + 5 * slotSec },
      evidence: { volts: 260, low: 207, high: 253, part: 37.5, days: 1, nominal: 230 },
    },
  ]);
  expect(found(states({ voltage2: [230, 190, 260, 231] }))[0]).toMatchObject({
    ...{ field: "voltage2", values: 2, evidence: { volts: 190, part: 50 } },
  });
  expect(slots(given, { share: 37.4 })).toHaveLength(1);
  expect(slots(given, { share: 37.5 })).toEqual([]);
  expect(slots(given, { count: 8 })).toHaveLength(1);
  expect(slots(given, { count: 9 })).toEqual([]);
});

test("TRUST-031 bad days that follow each other are one finding, others are two", () => {
  const days = (bad: readonly number[]): Given => {
    const values = [0, 1, 2].flatMap((day) =>
      [230, bad.includes(day) ? 260 : 230, 230, 230].map((value, at) => ({
        ...valueAt("voltage3", midnight(day) + at * slotSec, value),
      })),
    );
    const given = dailyOf([24, 24, 24]);
    return { ...given, levels: new Map([...given.levels, ["voltage3", values]]) };
  };

  expect(found(days([1, 2]))).toMatchObject([
    { from: midnight(1) + slotSec, to: midnight(2) + slotSec, values: 2, evidence: { days: 2, part: 25 } },
  ]);
  expect(found(days([0, 2]))).toMatchObject([{ evidence: { days: 1 } }, { evidence: { days: 1 } }]);
});

test("TRUST-031 values of ten minutes are judged by their mean, doubtful ones left out", () => {
  const often = states({ voltage1: [300, 200, 200, 260, 260, 260, 230, 230, 230, 230, 230, 230] }, {}, 200);

  expect(found(often)).toMatchObject([
    { values: 1, from: firstMidnight + 5 * 200, evidence: { volts: 260, part: 25 } },
  ]);
  const doubtful = changed(
    often,
    ({ ts }) => (ts < firstMidnight + 5 * 200 ? { status: statuses.suspect.id } : {}),
    "voltage1",
  );
  expect(found(doubtful, { count: 3 })).toMatchObject([{ values: 1, evidence: { part: 33.3 } }]);
});

test.each([
  ["near the set one", 230, 245, 230],
  ["at the end of a quarter of it", 230, 287.5, 230],
  ["behind transformers, phase to neutral", 230, 58, 57.7],
  ["behind transformers, between phases", 230, 101, 100],
  ["between phases", 230, 410, 400],
  ["at the end of a tenth of a level", 230, 440, 400],
  ["of no level", 230, 170, 230],
  ["of no level, further away", 230, 441, 230],
  ["of a network of 110 V", 230, 118, 110],
])("TRUST-031 the nominal voltage %s", (_, nominal, usual, expected) => {
  const given = states({ voltage1: [usual, usual, usual, usual, 0, 0], voltage2: Array(6).fill(usual) });

  const [missing] = found(given, { nominal, share: 95, percent: 30 }).filter(
    ({ code }) => code === "phase_missing",
  );
  expect(missing?.evidence).toMatchObject({ nominal: expected, bound: Math.round(expected) / 10 });
});

test("TRUST-031 values of a phase that is absent say nothing of the nominal voltage", () => {
  const given = states({ voltage1: [58, 58, 5, 5, 5, 5, 5], voltage2: [58, 58, 5, 5, 5, 5, 5] });

  expect(found({ ...given }, { share: 0, percent: 1, count: 2, length: 9 })).toEqual([]);
  const one = states({ voltage1: [58, 58, 4, 4, 4, 4, 4], voltage2: [58, 58, 58, 58, 58, 58, 58] });
  expect(found(one)).toMatchObject([{ code: "phase_missing", evidence: { nominal: 57.7 } }]);
});

test("TRUST-031 a phase that had voltage and has none while another has it", () => {
  const others = { voltage2: [230, 230, 230, 230, 230, 230] };
  const given = states({ voltage1: [230, 22.9, 5, 0.04, 230, 230], ...others });

  expect(found(given)).toEqual([
    {
      ...{ field: "voltage1", msgType: 2, code: "phase_missing", values: 3 },
      ...{ from: firstMidnight + slotSec, to: firstMidnight + 3 * slotSec },
      evidence: { volts: 22.9, bound: 23, amperes: 0, values: 3, nominal: 230 },
    },
  ]);
  expect(slots(given, { length: 4 })).toEqual([]);
  expect(slots(given, { length: 3 })).toHaveLength(1);
  expect(slots(given, { absent: 9.9 })).toContainEqual(["phase_missing", "voltage1", 2, 3, 2]);
  // It never had voltage, or no other phase has any then.
  expect(slots(states({ voltage1: [0, 0, 0, 0, 0, 0], ...others }))).toEqual([]);
  expect(slots(states({ voltage1: [0, 0, 230, 230, 0, 0], ...others }))).toEqual([
    ["phase_missing", "voltage1", 4, 5, 2],
  ]);
  expect(slots(states({ voltage1: [230, 0, 0, 0, 230, 230] }))).toEqual([]);
  expect(slots(states({ voltage1: [230, 0, 0, 0, 230, 230], voltage2: [230, 0, 0, 0, 230, 230] }))).toEqual(
    [],
  );
  expect(slots(states({ voltage1: [230, 0, 0, 0, 230, 230], voltage3: [230, 0, 230, 230, 0, 230] }))).toEqual(
    [["phase_missing", "voltage1", 2, 3, 2]],
  );
});

test("TRUST-031 a current on a phase without voltage, in either direction", () => {
  const given = states({
    voltage1: [0, 0, 0, 230, 230, 230],
    current1: [-4, 0.1, 0.2, 5, 5, 5],
  });

  expect(found(given)).toMatchObject([]);
  expect(found(given, { length: 1 })).toEqual([
    {
      ...{ field: "voltage1", msgType: 2, code: "current_without_voltage", values: 1 },
      ...{ from: firstMidnight, to: firstMidnight },
      evidence: { volts: 0, bound: 23, amperes: 4, values: 1, nominal: 230 },
    },
    expect.objectContaining({ from: firstMidnight + 2 * slotSec, values: 1 }),
  ]);
  const second = states({ voltage2: [0, 0, 230, 230], current2: [4, 4, 4, 4] });
  expect(slots(second)).toEqual([["current_without_voltage", "voltage2", 0, 1, 2]]);
  const both = states({
    voltage3: [230, 0, 0, 0, 230, 230],
    voltage1: [230, 230, 230, 230, 230, 230],
    current3: [1, 0, 2, 0, 1, 1],
  });
  expect(found(both)).toMatchObject([
    { code: "current_without_voltage", field: "voltage3", values: 3, evidence: { amperes: 2 } },
  ]);
});

test("TRUST-031 two conductors in each other's place", () => {
  const angles = (b: readonly number[], c: readonly number[]) => states({ coruu1: b, coruu2: c });

  expect(found(angles([120, 240, 241, 239, 120], [240, 120, 121, 119, 240]))).toEqual([
    {
      ...{ field: "coruu1", msgType: 2, code: "phase_order", values: 3 },
      ...{ from: firstMidnight + slotSec, to: firstMidnight + 3 * slotSec },
      evidence: { angle: 240, values: 3 },
    },
  ]);
  expect(slots(angles([-120, -120], [-240, -240]))).toEqual([["phase_order", "coruu1", 0, 1, 2]]);
  expect(slots(angles([210, 270], [90, 150]))).toHaveLength(1);
  expect(slots(angles([209, 209], [120, 120]))).toEqual([]);
  expect(slots(angles([240, 240], [151, 151]))).toEqual([]);
  expect(slots(angles([600, 600], [480, 480]))).toHaveLength(1);
  expect(slots(angles([240, 240], []))).toEqual([]);
  expect(slots(angles([120, 120], [120, 120]))).toEqual([]);
  expect(slots(angles([240, 120, 240], [120, 240, 120]))).toEqual([]);
  expect(slots(angles([240, 240], [120, 120]), { length: 3 })).toEqual([]);
});

test("TRUST-031 is found in the span that has changed; a meter without states has none", () => {
  const of = (from: number, to: number) => {
    const at = (slot: number) => firstMidnight + slot * slotSec;
    const angles = { coruu1: [120, 240, 240, 120], coruu2: [240, 120, 120, 240] };
    return found(states(angles, { span: { from: at(from), to: at(to) } }));
  };

  expect([of(2, 9), of(2.1, 9), of(0, 1), of(0, 0.9)].map(({ length }) => length)).toEqual([1, 0, 1, 0]);
  expect(found(dailyOf([24]))).toEqual([]);
});

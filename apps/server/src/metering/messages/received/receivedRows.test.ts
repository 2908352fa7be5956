import { meterModels } from "@metrum/catalogue";
import type { DeviceId } from "@metrum/vocabulary";
import fc from "fast-check";
import { DummyDriver, Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from "kysely";
import { expect, test } from "vitest";
import { dayOf, startOfDay, type Db } from "#core";
import {
  dueFromDays,
  dueFromOf,
  fillingTypes,
  hoursOf,
  judge,
  mainType,
  percentOf,
  shareOf,
  startsOfHours,
  typesFilling,
  typesOfModel,
  visitDue,
} from "./received.ts";
import { loadReceived, receivedOf, type WantedReceived } from "./ofDevice.ts";
import { gridOf, slotsOf, type Slot } from "./slots.ts";

const hour = 3600;
const zone = "Europe/Berlin";
const start = Date.parse("2026-10-24T22:00:00Z") / 1000;

/** Each slot by itself. */
function expectedOf(slots: readonly Slot[], present: readonly number[], now: number, dueFrom: number) {
  const judged = slots.flatMap((slot) => {
    const isThere = present.some((ts) => ts >= slot.since && ts < slot.to);
    const isOver = now >= slot.to + Math.min(slot.to - slot.from, hour);
    return isThere || isOver ? [{ ...slot, isThere, isDue: isThere || slot.to > dueFrom }] : [];
  });
  const missing = judged.filter(({ isThere }) => !isThere);
  const gaps = missing.filter(({ from }) => !missing.some(({ to }) => to === from));
  return {
    expected: judged.filter(({ isDue }) => isDue).length,
    received: judged.filter(({ isThere }) => isThere).length,
    gaps: gaps.map(({ from }) => {
      let [to, count] = [from, 0];
      for (const slot of missing) if (slot.from === to) [to, count] = [slot.to, count + 1];
      return { from, to, missing: count };
    }),
    gapCount: gaps.length,
  };
}

test("TRUST-009 each slot is judged by its own rows, once it is over and its rows had an hour to arrive, through a change of the clocks", () => {
  const minutes = fc.integer({ min: -60, max: 4 * 24 * 60 });
  fc.assert(
    fc.property(
      fc.constantFrom(60, 1800, 3600, 7200, 86_400, 3 * 86_400),
      fc.uniqueArray(minutes, { maxLength: 60 }),
      minutes,
      fc.option(minutes, { nil: undefined }),
      (reportPeriodSec, times, nowMinute, dueMinute) => {
        const grid = gridOf(1, { reportPeriodSec });
        const slots = grid ? slotsOf(grid, zone, { from: start, to: start + 4 * 86_400 + hour }) : [];
        const present = times.map((minute) => start + minute * 60).toSorted((a, b) => a - b);
        const [now, dueFrom] = [nowMinute, dueMinute ?? -1e9].map((minute) => start + minute * 60);

        expect(judge(slots, present, now ?? 0, dueMinute === undefined ? undefined : dueFrom)).toEqual(
          expectedOf(slots, present, now ?? 0, dueFrom ?? 0),
        );
      },
    ),
    { numRuns: 400 },
  );
});

test("TRUST-009 a slot is due to the second: another slot, an hour at most, is waited for, and what ends before a device came is not due", () => {
  const slot = (from: number, to: number) => ({ from: start + from, to: start + to, since: start + from });
  const seen = (now: number, dueFrom: number, present: readonly number[] = []) => {
    const found: (readonly [number, boolean, boolean])[] = [];
    const times = {
      present: present.map((each) => start + each),
      now: start + now,
      dueFrom: start + dueFrom,
    };
    visitDue([slot(0, 600), slot(600, 8400)], times, ({ from }, isThere, isDue) =>
      found.push([from - start, isThere, isDue]),
    );
    return found;
  };
  expect([seen(1199, 0).length, seen(1200, 0).length]).toEqual([0, 1]);
  expect([seen(8400 + hour - 1, 0).length, seen(8400 + hour, 0).length]).toEqual([1, 2]);
  expect(seen(20_000, 600)).toEqual([
    [0, false, false],
    [600, false, true],
  ]);
  expect(seen(0, 9000, [600, 8399])).toEqual([[600, true, true]]);
  expect(seen(0, 9000, [8400])).toEqual([]);
});

test("TRUST-009 of more gaps than an answer holds the newest are named, and all are counted", () => {
  const slots = Array.from({ length: 20_003 }, (_, n) => ({ from: n, to: n + 1, since: n }));
  const { gaps, gapCount } = judge(
    slots,
    slots.filter((_, n) => n % 2 === 1).map(({ from }) => from),
    1e6,
  );
  expect([gapCount, gaps.length, gaps[0]?.from, gaps.at(-1)?.to]).toEqual([10_002, 10_000, 4, 20_003]);
});

test("TRUST-009 a device is judged by its readings, or by instantaneous values if its model has no readings", () => {
  for (const { id, tabs } of meterModels) {
    const types: number[] = Object.values(tabs).flatMap(({ msgTypes }) => [...msgTypes]);
    expect(typesOfModel(id)).toEqual(new Set(types));
    expect(mainType(id)).toBe(!types.includes(1) && types.includes(2) ? 2 : 1);
  }
  expect([mainType(0), [...typesOfModel(0)]]).toEqual([1, []]);
});

test("TRUST-009 the hourly archive fills the hours of readings, and nothing else does", () => {
  const idWith = (has: boolean) => meterModels.find(({ id }) => typesOfModel(id).has(100) === has)?.id ?? 0;
  const [archived, plain] = [idWith(true), idWith(false)];
  const hours = (count: number) => ({ kind: "hours", hours: count }) as const;
  expect([
    fillingTypes(1, archived, hours(1)),
    fillingTypes(1, archived, hours(2)),
    fillingTypes(1, plain, hours(1)),
    fillingTypes(5, archived, hours(1)),
    fillingTypes(1, archived, { kind: "days", days: 1 }),
  ]).toEqual([[1, 100], [1], [1], [5], [1]]);
  const device = { model_id: archived, report_period_update: hour, zone };
  expect([typesFilling(1, device), typesFilling(3, device), typesFilling(101, device)]).toEqual([
    [1, 100],
    [],
    [101],
  ]);
});

test("TRUST-009 a share has six decimals in percent, and of nothing there is none", () => {
  expect([shareOf({ expected: 0, received: 0 }), percentOf({ expected: 0, received: 0 })]).toEqual([
    null,
    null,
  ]);
  expect([shareOf({ expected: 4, received: 1 }), percentOf({ expected: 3, received: 1 })]).toEqual([
    0.25, 33.333_333,
  ]);
});

const device = (id: number, more: { readonly created_at?: number } = {}) => ({
  ...{ id: id as DeviceId, model_id: 1, report_period_update: hour, zone },
  ...more,
});

test("TRUST-009 rows are due since a device was added, or since the first day of which it has older rows", () => {
  const added = start + 5 * 86_400 + 7 * hour;
  const young = (id: number, types: readonly number[]) => ({
    device: device(id, { created_at: added }),
    types,
  });
  const day = dayOf(zone, added);
  const rows = [
    { device_id: 2 as DeviceId, msg_type: 1, day: day - 3 },
    { device_id: 2 as DeviceId, msg_type: 100, day: day - 4 },
    { device_id: 3 as DeviceId, msg_type: 1, day },
    { device_id: 4 as DeviceId, msg_type: 5, day: day - 9 },
  ];
  const wanted = [
    { device: device(1), types: [1] },
    young(2, [1, 100]),
    young(3, [1]),
    young(4, [1]),
    { device: device(5, { created_at: start }), types: [1] },
  ];
  expect(dueFromDays(wanted, start, rows)).toEqual([
    -Infinity,
    startOfDay(zone, day - 4),
    added,
    added,
    -Infinity,
  ]);
  expect(dueFromDays([young(2, [1])], start, rows)).toEqual([startOfDay(zone, day - 3)]);
});

test("TRUST-009 hours that any type of a device has are one list by time, through the 25 hours of a day", () => {
  const day = dayOf(zone, start);
  const row = (id: number, msg_type: number, hours: Readonly<Record<number, number>>) => ({
    ...{ device_id: id as DeviceId, msg_type },
    days: Object.keys(hours).map((each) => day + Number(each)),
    hours: Object.values(hours),
    shape: JSON.stringify(hours),
  });
  const all = 2 ** 25 - 1;
  const rows = [
    row(1, 1, { 0: 0b101, 1: 1 }),
    row(1, 100, { "-1": 0b10, 0: 0b110, 3: 0b1000 }),
    row(2, 1, { 0: all }),
    row(3, 1, { 0: all }),
  ];
  const wanted = [
    { device: device(1), types: [1, 100] },
    { device: device(1), types: [1] },
    { device: device(2), types: [1, 100] },
    { device: { ...device(3), zone: "Asia/Ulaanbaatar" }, types: [1] },
    { device: device(4), types: [1] },
  ];
  const [both, one, whole, elsewhere, none] = startsOfHours(wanted, rows);

  const at = (n: number, hours: number) => startOfDay(zone, day + n) + hours * hour;
  expect(both).toEqual([at(-1, 1), at(0, 0), at(0, 1), at(0, 2), at(1, 0), at(3, 3)]);
  expect(one).toEqual([at(0, 0), at(0, 2), at(1, 0)]);
  expect(whole).toEqual(Array.from({ length: 25 }, (_, n) => at(0, n)));
  expect(elsewhere?.[0]).toBe(startOfDay("Asia/Ulaanbaatar", day));
  expect(none).toEqual([]);
  const large = [row(65_536, 2, { 0: 1 }), row(131_072, 1, { 1: 1 })];
  const starts = startsOfHours(
    [
      { device: device(65_536), types: [2] },
      { device: device(131_072), types: [1] },
    ],
    large,
  );
  expect(starts).toEqual([[at(0, 0)], [at(1, 0)]]);
});

/** A database without any row, and what it was asked for. */
const asked: (readonly unknown[])[] = [];
const empty: Db = new Kysely({
  log: ({ query }) => void asked.push(query.parameters),
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
});

test("TRUST-009 rows of a range are judged up to the end of tomorrow, since the device was added", async () => {
  const now = start + 10 * hour;
  const span = { from: start, to: start + 30 * 86_400 };
  const receivedIn = async (wanted: WantedReceived & { readonly rowsAt: readonly number[] }) =>
    receivedOf(await loadReceived(empty, wanted), wanted);
  const judged = (msgType: number, rowsAt: readonly number[] = [], more: Parameters<typeof device>[1] = {}) =>
    receivedIn({ device: device(1, more), msgType, span, now, rowsAt });
  const end = startOfDay(zone, dayOf(zone, now) + 2);
  const ahead = [start + 600, end - 1800, end];

  asked.length = 0;
  expect(await judged(3)).toBeNull();
  expect(asked).toEqual([]);
  expect(await judged(1)).toEqual({
    ...{ expected: 9, received: 0, gapCount: 1 },
    gaps: [{ from: start, to: start + 9 * hour, missing: 9 }],
  });
  expect(asked).toEqual([["{1}", "{1}", "2026-10-23", "2026-10-27"]]);
  expect(await judged(1, ahead, { created_at: start + 4.5 * hour })).toMatchObject({
    expected: 5,
    received: 0,
  });
  expect(await judged(5, ahead)).toMatchObject({ expected: 20, received: 2, gapCount: 1 });
  expect(
    await receivedIn({ device: device(1), msgType: 5, profile: 60, span, now, rowsAt: ahead }),
  ).toMatchObject({ expected: 10, received: 2 });
  expect(
    await receivedIn({
      ...{ device: device(1), msgType: 1, now, rowsAt: [] },
      span: { from: start, to: start },
    }),
  ).toEqual({ expected: 0, received: 0, gaps: [], gapCount: 0 });
});

test("TRUST-009 only of devices that were added later the first days are asked for", async () => {
  const wanted = [
    { device: device(1), types: [1] },
    { device: device(2, { created_at: start }), types: [1] },
    { device: device(3, { created_at: start + 1 }), types: [1, 100] },
  ];

  asked.length = 0;
  expect(await dueFromOf(empty, wanted, start)).toEqual([-Infinity, -Infinity, start + 1]);
  expect(asked).toEqual([["{3,3}", "{1,100}"]]);
  expect(await hoursOf(empty, wanted, { from: start, to: start + hour })).toEqual([[], [], []]);
  expect(asked.slice(1)).toEqual([["{1,2,3,3}", "{1,1,1,100}", "2026-10-23", "2026-10-25"]]);
  expect(await hoursOf(empty, [], { from: start, to: start + hour })).toEqual([]);
  expect(asked).toHaveLength(2);
});

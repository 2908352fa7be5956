import { fields, statuses, type FieldName } from "@metrum/vocabulary";
import fc from "fast-check";
import { expect, test } from "vitest";
import { dayOf, startOfDay } from "#core";
import {
  byDay,
  compareDays,
  dayKeyOf,
  daysTouched,
  emptyDay,
  hasSameHoles,
  inSet,
  isCounted,
  mergedDays,
  sumDays,
  type DayMessage,
  type DayRow,
} from "../days/days.ts";
import { makeSet } from "../rows/fieldSets.ts";

const wide = makeSet(1, ["current1", "tariff0", "tariff1", "temperature"]);
const narrow = makeSet(2, ["tariff0", "temperature"]);
const devices = [
  { device: { id: 1, zone: "Europe/Berlin" }, set: wide },
  { device: { id: 2, zone: "Asia/Ulaanbaatar" }, set: narrow },
] as const;
/** Two hours before the midnight of Berlin that begins a day of 25 hours. */
const start = Date.parse("2026-10-24T20:00:00Z") / 1000;

const statusOf = fc.constantFrom(
  statuses.measured.id,
  statuses.suspect.id,
  statuses.rejected.id,
  statuses.late.id,
);
const aMessage = fc
  .record({
    of: fc.constantFrom(...devices),
    msgType: fc.constantFrom(1, 100),
    minute: fc.nat(3 * 24 * 60),
    v: fc.array(fc.option(fc.integer({ min: -4, max: 4 })), { minLength: 4, maxLength: 4 }),
    status: statusOf,
    temperature: fc.option(statusOf),
  })
  .map(({ of: { device, set }, msgType, minute, v, status, temperature }): DayMessage => ({
    ...{ device, msgType, ts: start + minute * 60, status, set, v: v.slice(0, set.fields.length) },
    by_field: temperature === null ? null : { temperature: { status: temperature } },
  }));
const instantOf = ({ device, msgType, ts }: DayMessage): string => [device.id, msgType, ts].join(" ");
const messages = fc.uniqueArray(aMessage, { minLength: 1, maxLength: 40, selector: instantOf });

const isBad = (status: number): boolean => status === statuses.suspect.id || status === statuses.rejected.id;
const trustedOf = ({ set, v, status, by_field }: DayMessage): [FieldName, number][] =>
  set.fields.flatMap((name, at) => {
    const value = v[at] ?? null;
    return value === null || isBad(by_field?.[name]?.status ?? status) ? [] : [[name, value]];
  });

const keyOf = ({ device, msgType, ts }: DayMessage) => ({
  ...{ deviceId: device.id, msgType },
  day: dayOf(device.zone, ts),
});

/** What a row says of each field that has a value. */
function plain({ deviceId, msgType, day, set, hours, n, firstTs, lastTs, ...row }: DayRow) {
  const values = set.fields.flatMap((name, at) => {
    if ((row.first[at] ?? null) === null) return [];
    const place = set.moving.indexOf(at);
    const own = {
      ...{ first: row.first[at], last: row.last[at] },
      n: row.counts ? row.counts.n[at] : n,
      firstTs: row.counts ? row.counts.firstTs[at] : firstTs,
      lastTs: row.counts ? row.counts.lastTs[at] : lastTs,
    };
    const moving = place < 0 ? {} : { sum: row.sum[place], min: row.min[place], max: row.max[place] };
    return [[name, { ...own, ...moving }] as const];
  });
  const all = { deviceId, msgType, day, hours, n, firstTs, lastTs, fields: Object.fromEntries(values) };
  return { ...all, isUniform: row.counts === undefined };
}

/** The same, counted value by value. */
function expectedOf(all: readonly DayMessage[]): ReturnType<typeof plain>[] {
  const counted = all.filter((each) => trustedOf(each).length > 0).toSorted((a, b) => a.ts - b.ts);
  const keys = new Map(counted.map((each) => [dayKeyOf(keyOf(each)), keyOf(each)]));
  return [...keys].map(([name, key]) => {
    const own = counted.filter((each) => dayKeyOf(keyOf(each)) === name);
    const hoursOf = ({ device, ts }: DayMessage) =>
      Math.floor((ts - startOfDay(device.zone, key.day)) / 3600);
    const [firstTs = 0, lastTs = 0] = [own[0]?.ts, own.at(-1)?.ts];
    const byField = new Map<FieldName, { readonly ts: number; readonly value: number }[]>();
    for (const each of own)
      for (const [field, value] of trustedOf(each))
        byField.set(field, [...(byField.get(field) ?? []), { ts: each.ts, value }]);
    const values = [...byField].map(([field, points]) => {
      const numbers = points.map(({ value }) => value);
      const isCounter = fields[field].kind === "counter";
      return [
        field,
        {
          ...{ first: numbers[0], last: numbers.at(-1), n: points.length },
          ...{ firstTs: points[0]?.ts ?? null, lastTs: points.at(-1)?.ts ?? null },
          ...(isCounter
            ? {}
            : {
                sum: numbers.reduce((a, b) => a + b, 0),
                ...{ min: Math.min(...numbers), max: Math.max(...numbers) },
              }),
        },
      ] as const;
    });
    return {
      ...key,
      hours: own.reduce((bits, each) => bits | (1 << hoursOf(each)), 0),
      ...{ n: own.length, firstTs, lastTs, fields: Object.fromEntries(values) },
      isUniform: values.every(
        ([, each]) => each.n === own.length && each.firstTs === firstTs && each.lastTs === lastTs,
      ),
    };
  });
}

const inOrder = (rows: readonly ReturnType<typeof plain>[]) => rows.toSorted(compareDays);

test("TRUST-001 the rows of days are those counted value by value, in whatever order the messages are", () => {
  fc.assert(
    fc.property(messages, (all) => {
      const rows = sumDays(all);
      expect(rows.map(plain)).toEqual(inOrder(expectedOf(all)));
      expect(sumDays([...all].sort((a, b) => a.ts - b.ts)).map(plain)).toEqual(rows.map(plain));
      expect(all.map(isCounted)).toEqual(all.map((each) => trustedOf(each).length > 0));
    }),
    { numRuns: 200 },
  );
});

test("TRUST-001 two halves of a day are merged to the whole day, of whatever sets and order", () => {
  fc.assert(
    fc.property(messages, fc.array(fc.boolean(), { minLength: 40, maxLength: 40 }), (all, sides) => {
      const [one, two] = [true, false].map((side) => sumDays(all.filter((_, at) => sides[at] === side)));
      const rows = new Map<string, DayRow>();
      for (const row of [...(one ?? []), ...(two ?? [])]) {
        const known = rows.get(dayKeyOf(row));
        rows.set(dayKeyOf(row), known ? mergedDays(row, known, wide) : inSet(row, wide));
      }
      expect(inOrder([...rows.values()].map(plain))).toEqual(inOrder(expectedOf(all)));
      expect([...rows.values()].every(({ set, first }) => set === wide && first.length === 4)).toBe(true);
    }),
    { numRuns: 200 },
  );
});

test("TRUST-001 the days that messages touch are each named once, in the order of the key, with their first message", () => {
  fc.assert(
    fc.property(messages, (all) => {
      const names = [...new Set(all.map((each) => dayKeyOf(keyOf(each))))];
      const touched = daysTouched(all);
      expect(touched.map(dayKeyOf).toSorted()).toEqual(names.toSorted());
      expect(touched).toEqual(touched.toSorted(compareDays));
      for (const key of touched)
        expect(key.of).toBe(all.find((each) => dayKeyOf(keyOf(each)) === dayKeyOf(key)));
      const grouped = byDay(all, (each) => each);
      expect([...grouped.keys()]).toEqual(names);
      for (const [name, own] of grouped)
        expect(own).toEqual(all.filter((each) => dayKeyOf(keyOf(each)) === name));
    }),
    { numRuns: 200 },
  );
});

test("TRUST-001 days are in the order of device, type and day, and one without a message has no value", () => {
  const keys = [
    { deviceId: 1, msgType: 1, day: 9 },
    { deviceId: 1, msgType: 2, day: 3 },
    { deviceId: 1, msgType: 2, day: 4 },
    { deviceId: 2, msgType: 1, day: 1 },
  ];
  expect(keys.toReversed().toSorted(compareDays)).toEqual(keys);
  expect(keys.map(dayKeyOf)).toEqual(["1 1 9", "1 2 3", "1 2 4", "2 1 1"]);
  const none = [null, null, null, null];
  expect(emptyDay({ deviceId: 1, msgType: 2, day: 3 }, wide)).toEqual({
    ...{ deviceId: 1, msgType: 2, day: 3, set: wide, hours: 0, n: 0, firstTs: 0, lastTs: 0 },
    ...{
      first: none,
      last: none,
      sum: [null, null],
      min: [null, null],
      max: [null, null],
      counts: undefined,
    },
  });
  expect([
    hasSameHoles([1, null], [2, null]),
    hasSameHoles([1, null], [2, 3]),
    hasSameHoles([null, 1], [1, null]),
    hasSameHoles([], []),
  ]).toEqual([true, false, false, true]);
});

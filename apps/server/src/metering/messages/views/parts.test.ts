// Hours, days and received rows are sums of their parts, whichever way they are divided.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { sources, statuses, type FieldName } from "@metrum/vocabulary";
import { dayOf, startOfDay } from "#core";
import { compareDays, mergedDays, sumDays, type DayMessage, type DayRow } from "../days/days.ts";
import { toHours } from "./hours.ts";
import { judge } from "../received/received.ts";
import type { SeriesRow } from "../read/index.ts";
import { gridOf, slotsOf } from "../received/slots.ts";

const half = 1800;
const hour = 3600;
const places: readonly (readonly [zone: string, date: string, hours: number])[] = [
  ["Europe/Berlin", "2026-03-29", 23],
  ["Europe/Berlin", "2026-10-25", 25],
  ["Asia/Ulaanbaatar", "2016-03-26", 23],
  ["Asia/Ulaanbaatar", "2016-09-23", 25],
  ["America/Sao_Paulo", "2018-11-04", 23],
  ["America/Sao_Paulo", "2018-02-17", 25],
  ["Asia/Almaty", "2024-02-29", 25],
  ["Pacific/Apia", "2011-12-31", 24],
  ["Asia/Kathmandu", "2026-05-01", 24],
];
const dayNumber = (date: string): number => Date.parse(`${date}T00:00:00Z`) / 86_400_000;
const trusted = [statuses.measured.id, statuses.manual.id, statuses.estimated.id, statuses.late.id];
const doubted = [statuses.suspect.id, statuses.rejected.id];

interface Half {
  readonly value: number | null;
  readonly status: number;
}
const someHalves = (length: number): fc.Arbitrary<Half[]> =>
  fc.array(
    fc.record({
      value: fc.option(
        fc.integer({ min: 0, max: 1000 }).map((n) => n * 2),
        { freq: 12 },
      ),
      status: fc.constantFrom(...trusted, ...trusted, ...doubted),
    }),
    { minLength: length, maxLength: length },
  );

const rowOf = (ts: number, { value, status }: Half): SeriesRow => ({
  ts,
  real: null,
  received: 60 + (ts % 7),
  status,
  source: sources.polled,
  by_field: null,
  set: { fields: ["power_a_plus"] },
  v: [value],
  extra: null,
});

describe("TRUST-023 hours of a profile are the averages of their halves, and add up to the day", () => {
  test.each(places)("%s on %s, %i hours", (zone, date, hours) => {
    const start = startOfDay(zone, dayNumber(date));
    fc.assert(
      fc.property(someHalves(hours * 2), (halves) => {
        const rows = halves.map((each, n) => rowOf(start + n * half, each));
        const found = toHours(rows, zone);

        expect(found.map(({ ts }) => ts)).toEqual(Array.from({ length: hours }, (_, n) => start + n * hour));
        found.forEach(({ v, status, ts, received }, n) => {
          const pair = halves.slice(2 * n, 2 * n + 2);
          const isKnown = pair.every(
            (each) => each.value !== null && trusted.some((id) => id === each.status),
          );
          const average = pair.reduce((sum, { value }) => sum + (value ?? 0), 0) / 2;
          expect(v).toEqual([isKnown ? average : null]);
          // One that is doubted shows at the hour, whatever the other half says.
          const given = pair.filter(({ value }) => value !== null).map((each) => each.status);
          if (given.some((each) => doubted.some((id) => id === each)))
            expect(doubted.some((id) => id === status)).toBe(true);
          const receipts = rows.slice(2 * n, 2 * n + 2).map((row) => row.ts + row.received);
          expect(ts + received).toBe(Math.max(...receipts));
        });
      }),
      { numRuns: 40 },
    );
  });

  test.each(places)("a half-hour left out changes its hour and no other, %s on %s", (zone, date, hours) => {
    const start = startOfDay(zone, dayNumber(date));
    fc.assert(
      fc.property(someHalves(hours * 2), fc.nat(hours * 2 - 1), (halves, at) => {
        const rows = halves.map((each, n) => rowOf(start + n * half, each));
        const of = (all: readonly SeriesRow[]) => new Map(toHours(all, zone).map((each) => [each.ts, each]));
        const [whole, rest] = [of(rows), of(rows.filter((_, n) => n !== at))];
        const own = start + Math.floor(at / 2) * hour;

        expect(rest.get(own)?.v).toEqual([null]);
        for (const [ts, each] of whole) if (ts !== own) expect(rest.get(ts)).toEqual(each);
      }),
      { numRuns: 30 },
    );
  });

  test("where the clocks move by half an hour, no hour is made of halves that are not its own", () => {
    const zone = "Australia/Lord_Howe";
    for (const date of ["2026-04-05", "2026-10-04"]) {
      const [start, end] = [0, 1].map((n) => startOfDay(zone, dayNumber(date) + n));
      const count = ((end ?? 0) - (start ?? 0)) / half;
      const rows = Array.from({ length: count }, (_, n) =>
        rowOf((start ?? 0) + n * half, { value: 2, status: statuses.measured.id }),
      );
      const found = toHours(rows, zone);

      expect(found.filter(({ v }) => v[0] === 2)).toHaveLength(Math.floor(count / 2));
      expect(found.filter(({ v }) => v[0] === null)).toHaveLength(count % 2);
    }
  });
});

const fields: readonly FieldName[] = ["tariff0", "power_a_plus", "tariff1"];
const set = { id: 1, fields, moving: [1] } as unknown as DayRow["set"];

interface Sent {
  readonly at: number;
  readonly v: readonly (number | null)[];
  readonly status: number;
  readonly device: number;
}
const someSent = (seconds: number): fc.Arbitrary<Sent[]> =>
  fc.uniqueArray(
    fc.record({
      at: fc.integer({ min: 0, max: seconds / 600 }).map((n) => n * 600),
      v: fc.tuple(...fields.map(() => fc.option(fc.integer({ min: 0, max: 50 }), { freq: 4 }))),
      status: fc.constantFrom(...trusted, ...trusted, ...doubted),
      device: fc.constantFrom(1, 2),
    }),
    { minLength: 1, maxLength: 40, selector: ({ at, device }) => `${String(device)} ${String(at)}` },
  );

describe("TRUST-023 TRUST-011 days of readings do not depend on the order or the batches in which they came", () => {
  const messages = (sent: readonly Sent[], zone: string, start: number): DayMessage[] =>
    sent.map(({ at, v, status, device }) => ({
      ...{ device: { id: device, zone }, msgType: 1, ts: start + at, status, by_field: null, set, v },
    }));
  /** Days as stored: merged with those that are there already. */
  function stored(batches: readonly (readonly DayMessage[])[]): DayRow[] {
    const rows = new Map<string, DayRow>();
    for (const each of batches.flatMap((batch) => sumDays(batch))) {
      const key = `${String(each.deviceId)} ${String(each.day)}`;
      const known = rows.get(key);
      rows.set(key, known ? mergedDays(known, each, each.set) : each);
    }
    return [...rows.values()].sort(compareDays);
  }

  test.each(places)("%s around %s", (zone, date) => {
    const start = startOfDay(zone, dayNumber(date) - 1);
    fc.assert(
      fc.property(someSent(3 * 86_400), fc.infiniteStream(fc.nat()), (sent, numbers) => {
        const all = messages(sent, zone, start);
        const inOrder = [...all].sort((a, b) => a.device.id - b.device.id || a.ts - b.ts);
        const shuffled = all
          .map((each) => ({ each, at: numbers.next().value as number }))
          .sort((a, b) => a.at - b.at)
          .map(({ each }) => each);
        const batches: DayMessage[][] = [];
        for (let at = 0; at < shuffled.length;) {
          const size = 1 + ((numbers.next().value as number) % 6);
          batches.push(shuffled.slice(at, at + size));
          at += size;
        }
        const expected = stored([inOrder]);

        expect(stored(batches)).toEqual(expected);
        expect(stored([shuffled])).toEqual(expected);
        for (const row of expected) {
          const own = inOrder.filter(
            ({ device, ts, status, v }) =>
              device.id === row.deviceId &&
              dayOf(zone, ts) === row.day &&
              trusted.some((id) => id === status) &&
              v.some((value) => value !== null),
          );
          const values = fields.map((_, at) =>
            own.flatMap(({ v, ts }) => (v[at] == null ? [] : [[ts, v[at]]])),
          );
          const power = (values[1] ?? []).map(([, value]) => value ?? 0);
          expect([row.n, row.firstTs, row.lastTs]).toEqual([own.length, own[0]?.ts, own.at(-1)?.ts]);
          expect(row.first).toEqual(values.map((each) => each[0]?.[1] ?? null));
          expect(row.last).toEqual(values.map((each) => each.at(-1)?.[1] ?? null));
          expect(row.sum).toEqual([power.length === 0 ? null : power.reduce((sum, each) => sum + each, 0)]);
          expect(row.min).toEqual([power.length === 0 ? null : Math.min(...power)]);
          expect(row.max).toEqual([power.length === 0 ? null : Math.max(...power)]);
          const heard = new Set(own.map(({ ts }) => Math.floor((ts - startOfDay(zone, row.day)) / hour)));
          expect(row.hours).toBe([...heard].reduce((bits, each) => bits | (1 << each), 0));
          if (row.counts)
            expect(row.counts.n).toEqual(values.map((each) => (each.length === 0 ? null : each.length)));
          else expect(values.every(({ length }) => length === 0 || length === own.length)).toBe(true);
        }
      }),
      { numRuns: 40 },
    );
  });

  test.each(places)("a day left out changes no other, %s around %s", (zone, date) => {
    const start = startOfDay(zone, dayNumber(date) - 1);
    fc.assert(
      fc.property(someSent(3 * 86_400), fc.constantFrom(0, 1, 2), (sent, n) => {
        const out = dayNumber(date) - 1 + n;
        const all = messages(sent, zone, start).sort((a, b) => a.device.id - b.device.id || a.ts - b.ts);

        expect(sumDays(all.filter(({ ts }) => dayOf(zone, ts) !== out))).toEqual(
          sumDays(all).filter(({ day }) => day !== out),
        );
      }),
      { numRuns: 30 },
    );
  });
});

describe("TRUST-009 TRUST-023 due and received rows of a time are those of its parts", () => {
  test.each(places)("%s around %s", (zone, date) => {
    const [from, to] = [-2, 3].map((n) => startOfDay(zone, dayNumber(date) + n)) as [number, number];
    const periods = fc.constantFrom(1800, hour, 3 * hour, 12 * hour, 24 * hour);
    const times = fc.array(fc.integer({ min: from, max: to - 1 }), { maxLength: 80 });
    const nows = fc.integer({ min: from, max: to + 2 * 86_400 });
    fc.assert(
      fc.property(periods, times, nows, fc.nat(), (reportPeriodSec, rows, now, n) => {
        const grid = gridOf(1, { reportPeriodSec });
        if (!grid) throw new Error("rows of readings are due");
        const slots = slotsOf(grid, zone, { from, to });
        const present = rows.toSorted((a, b) => a - b);
        const dueFrom = n % 3 === 0 ? (rows[0] ?? -Infinity) : -Infinity;
        const whole = judge(slots, present, now, dueFrom);
        const cut = n % (slots.length + 1);
        const parts = [slots.slice(0, cut), slots.slice(cut)].map((each) =>
          judge(each, present, now, dueFrom),
        );

        for (const name of ["expected", "received"] as const)
          expect(parts.reduce((sum, each) => sum + each[name], 0)).toBe(whole[name]);
        const isThere = (slot: { from: number; to: number }) =>
          present.some((ts) => ts >= slot.from && ts < slot.to);
        const isOver = (slot: { from: number; to: number }) =>
          slot.to + Math.min(slot.to - slot.from, hour) <= now;
        const missing = slots.filter((slot) => !isThere(slot) && isOver(slot));
        expect(whole.received).toBe(slots.filter(isThere).length);
        expect(whole.expected).toBe(whole.received + missing.filter((slot) => slot.to > dueFrom).length);
        expect(whole.gaps.reduce((sum, gap) => sum + gap.missing, 0)).toBe(missing.length);
        expect(whole.gapCount).toBe(whole.gaps.length);
        for (const gap of whole.gaps)
          expect(missing.filter((slot) => slot.from >= gap.from && slot.to <= gap.to)).toHaveLength(
            gap.missing,
          );
        whole.gaps.slice(1).forEach((gap, at) => expect(gap.from).toBeGreaterThan(whole.gaps[at]?.to ?? 0));
      }),
      { numRuns: 40 },
    );
  });
});

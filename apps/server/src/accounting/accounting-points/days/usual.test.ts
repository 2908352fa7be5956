import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { farReach, isNear, isSettledAfter, isSettledBefore, isUsualKnown } from "./usual.ts";

const hour = 3600;
const start = Date.parse("2026-10-01T00:00:00Z") / 1000;
const at = (hours: readonly number[]) => hours.map((each) => ({ ts: start + each * hour }));
const near = (hours: readonly number[], from: number, to: number): boolean =>
  isNear(at(hours), { from: start + from * hour, to: start + to * hour });
const daily = [0, 24, 48, 72, 96, 120];

describe("TRUST-011 how far apart values may be follows from how far apart they usually are there", () => {
  it.each<[string, readonly number[], number, number, boolean]>([
    ["six hours are near whatever is usual", [0, 6], 0, 6, true],
    ["a meter read every hour keeps its hole of seven", [0, 1, 2, 3, 4, 11, 12, 13, 14], 4, 11, false],
    ["a meter read every day", daily, 48, 72, true],
    ["the newest value of it", daily, 96, 120, true],
    ["a value of it is late by half a day", [0, 24, 48, 84, 108, 132], 48, 84, true],
    ["a value of it was lost", [0, 24, 48, 96, 120, 144], 48, 96, false],
    ["a meter read every two days, at most", [0, 48, 96, 144, 192, 240], 96, 144, true],
    ["more than two days apart, however usual", [0, 49, 98, 147, 196, 245], 98, 147, false],
    ["nearly twice of what is usual", [0, 20, 40, 78, 98, 118], 40, 78, true],
    ["a second more than that", [0, 20, 40, 78 + 1 / 3600, 98, 118], 40, 78 + 1 / 3600, false],
    ["the odd ones are few", [0, 1, 24, 48, 72, 96, 97], 48, 72, true],
    ["the odd ones are many", [0, 1, 2, 3, 27, 28, 29, 30], 3, 27, false],
    [
      "values a quarter of an hour apart are two",
      [0, 0.25, 0.5, 0.75, 12, 12.25, 12.5, 12.75],
      0.75,
      12,
      false,
    ],
    ["a value exactly a week away counts", [0, 84, 168, 192, 216], 168, 192, true],
    ["a meter read every week", [0, 168, 336, 504, 672], 168, 336, false],
    ["nobody knows yet what is usual", [0, 24, 48], 0, 24, false],
    [
      "repeats within a quarter of an hour are one value",
      [0, 0.1, 24, 24.1, 24.2, 48, 72, 96],
      24.2,
      48,
      true,
    ],
    ["values beyond a week tell nothing", [0, 24, 48, 72, 300, 330, 500, 524, 548], 300, 330, false],
  ])("%s", (_, hours, from, to, expected) => {
    expect(near(hours, from, to)).toBe(expected);
  });
});

/** Times of values in seconds, some of them hours and some of them a day or more apart. */
const someTimes = fc
  .array(
    fc.oneof(
      fc.integer({ min: 60, max: 7200 }),
      fc.integer({ min: 7 * hour, max: 50 * hour }),
      fc.constantFrom(24 * hour, 23 * hour, 25 * hour, 6 * hour, 48 * hour, 900),
    ),
    { minLength: 4, maxLength: 60 },
  )
  .map((distances) => {
    let ts = start;
    return distances.map((each) => ({ ts: (ts += each) }));
  });
type Times = readonly { readonly ts: number }[];
const pairsOf = (nodes: Times) => nodes.slice(1).map(({ ts }, at) => ({ from: nodes[at]?.ts ?? ts, to: ts }));

describe("TRUST-023 what is known of values around a pair decides about it", () => {
  it("values farther away than a week change nothing", () => {
    fc.assert(
      fc.property(someTimes, fc.nat(), (nodes, n) => {
        const pairs = pairsOf(nodes);
        const pair = pairs[n % pairs.length] ?? { from: 0, to: 0 };
        const reached = nodes.filter(({ ts }) => ts >= pair.to - farReach && ts <= pair.from + farReach);

        expect(isNear(reached, pair)).toBe(isNear(nodes, pair));
      }),
      { numRuns: 300 },
    );
  });

  it("a span of which enough was read is judged as if everything was", () => {
    let [known, unknown] = [0, 0];
    fc.assert(
      fc.property(someTimes, fc.nat(), fc.nat(), fc.nat(), (nodes, a, b, c) => {
        const [from, to] = [a % nodes.length, b % nodes.length].sort((x, y) => x - y);
        const read = { from: nodes[from ?? 0]?.ts ?? 0, to: nodes[to ?? 0]?.ts ?? 0 };
        const within = nodes.filter(({ ts }) => ts >= read.from && ts <= read.to);
        const at = within[c % within.length]?.ts ?? read.from;
        const span = { from: at, to: Math.min(read.to, at + (c % (30 * hour))) };
        if (!isUsualKnown(within, span, read)) {
          unknown += 1;
          return;
        }
        known += 1;
        for (const pair of pairsOf(within))
          if (pair.to >= span.from && pair.from <= span.to)
            expect(isNear(within, pair)).toBe(isNear(nodes, pair));
      }),
      { numRuns: 600 },
    );
    expect(Math.min(known, unknown)).toBeGreaterThan(0);
  });

  it.each<[string, readonly number[], readonly [number, number], readonly [number, number], boolean]>([
    [
      "four values on both sides of a daily one",
      [0, 24, 48, 72, 96, 120, 144, 168],
      [80, 90],
      [0, 168],
      true,
    ],
    ["three values before it", [24, 48, 72, 96, 120, 144, 168], [80, 90], [24, 168], false],
    ["three values after it", [0, 24, 48, 72, 96, 120, 144], [80, 90], [0, 144], false],
    ["values that were not read do not count", [0, 24, 48, 72, 96, 120, 144, 168], [80, 90], [1, 168], false],
    ["values within six hours need none beside them", [0, 6, 12], [1, 11], [0, 12], true],
    ["values more than two days apart need none", [0, 49], [1, 40], [0, 49], true],
    ["the pair before the span counts", [0, 24, 30, 36], [24, 36], [0, 36], false],
    ["a pair that begins with the end of the span counts", [0, 6, 12, 36], [0, 12], [0, 36], false],
    ["a pair after the span does not count", [0, 6, 12, 36], [0, 11], [0, 36], true],
  ])("%s", (_, hours, [from, to], [readFrom, readTo], expected) => {
    const span = { from: start + from * hour, to: start + to * hour };
    const read = { from: start + readFrom * hour, to: start + readTo * hour };
    expect(isUsualKnown(at(hours), span, read)).toBe(expected);
  });

  it("where values before and after a change are settled, nothing beyond them follows from it", () => {
    let settled = 0;
    fc.assert(
      fc.property(someTimes, fc.nat(), fc.nat(), fc.nat(), (nodes, a, b, c) => {
        const [one, two] = [a % nodes.length, b % nodes.length].sort((x, y) => x - y);
        const span = { from: nodes[one ?? 0]?.ts ?? 0, to: nodes[two ?? 0]?.ts ?? 0 };
        const changed = nodes.filter(({ ts }) => ts < span.from || ts > span.to);
        const [from, to] = [span.from - (c % (9 * 24 * hour)), span.to + (c % (9 * 24 * hour))];
        const same = (pair: { from: number; to: number }) =>
          expect(isNear(changed, pair)).toBe(isNear(nodes, pair));
        const before = pairsOf(nodes).filter((pair) => pair.from < from && pair.to < span.from);
        const after = pairsOf(nodes).filter((pair) => pair.to > to && pair.from > span.to);
        if (isSettledBefore(nodes, span, from)) before.forEach(same);
        if (isSettledAfter(nodes, span, to)) after.forEach(same);
        if (isSettledBefore(nodes, span, from) && before.length > 0) settled += 1;
      }),
      { numRuns: 400 },
    );
    expect(settled).toBeGreaterThan(0);
  });

  it.each<[readonly number[], number, number, boolean, boolean]>([
    [[0, 24, 48, 72, 100, 124, 148, 172], 0, 172, true, true],
    [[0, 24, 48, 72, 100, 124, 148, 172], 1, 171, false, false],
    [[24, 48, 72, 100, 124, 148], 0, 172, false, false],
    [[0, 24, 48, 72, 80, 90, 100, 124, 148, 172], 0, 172, true, true],
    [[0, 24, 48, 80, 90, 124, 148, 172], 0, 172, false, false],
  ])(
    "four values at %j from %i to %i settle a change between 80 and 90 hours",
    (hours, from, to, before, after) => {
      const span = { from: start + 80 * hour, to: start + 90 * hour };
      expect(isSettledBefore(at(hours), span, start + from * hour)).toBe(before);
      expect(isSettledAfter(at(hours), span, start + to * hour)).toBe(after);
    },
  );
});

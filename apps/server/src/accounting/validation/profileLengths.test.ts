import { describe, expect, test } from "vitest";
import { counterOf, givenOf, valueAt } from "#testing/series/judgedSeries";
import { judge } from "./run/findings.ts";
import type { Judged, Terms, Value } from "./judged/judged.ts";
import { rulesFor } from "./rules/rules.ts";
import { intervalSec, judgedProfile, judgedRegister, profileField } from "./judged/series.ts";
import { frameOf } from "./estimate/slots.ts";
import { propose } from "./estimate/estimate.ts";

const [hour, day] = [3600, 86_400];
const start = Date.parse("2026-05-01T00:00:00Z") / 1000;
const days = 45;
const rules = rulesFor([], { resource: "electricity", modelId: 1, pointIds: [] });

/** Power that follows the time of the day, kW. */
const powerAt = (ts: number): number => 4 + 3 * Math.sin(((ts % day) / day) * 2 * Math.PI);
/** Mean power of an interval: power is read at the middle of each quarter of an hour. */
function meanOf(from: number, to: number): number {
  const parts = Math.max(1, (to - from) / 300);
  const sum = Array.from({ length: parts }, (_, n) => powerAt(from + (n + 0.5) * 300)).reduce(
    (a, b) => a + b,
    0,
  );
  return Math.round((sum / parts) * 1e6) / 1e6;
}

interface Odd {
  readonly from: number;
  readonly to: number;
  /** Undefined: missing. */
  readonly times?: number;
}

/** A meter with midnights of its register and a profile of intervals; a part of the profile may be odd. */
function aMeter(lengthSec: number, odd?: Odd, terms?: Terms) {
  const midnights = Array.from({ length: days + 1 }, (_, n) => start + n * day);
  const main = counterOf(midnights, (from, to) => (meanOf(from, to) * (to - from)) / hour);
  const profile = Array.from({ length: (days * day) / lengthSec }, (_, n): Value | undefined => {
    const ts = start + n * lengthSec;
    const isOdd = odd !== undefined && ts >= odd.from && ts < odd.to;
    if (isOdd && odd.times === undefined) return undefined;
    const value = meanOf(ts, ts + lengthSec) * (isOdd ? (odd.times ?? 1) : 1);
    return { ...valueAt(profileField, ts, value), msgType: 5 };
  }).filter((value) => value !== undefined);
  const given = givenOf(main, { levels: new Map([[profileField, profile]]), terms });
  return { given, found: judge(given, rules).map(({ kind, from, to }) => ({ kind, from, to })) };
}
const profileOf = (given: ReturnType<typeof aMeter>["given"]): Judged => {
  const judged = judgedProfile(given);
  if (!judged) throw new Error("no profile");
  return judged;
};

const noon = start + 38 * day + 12 * hour;

describe.each([300, 600, 900, 1800, 3600])("TRUST-031 a profile of intervals of %s s", (lengthSec) => {
  test("is known by the distance of its values, whatever is missing, and adds up to the days of the register", () => {
    const { given } = aMeter(lengthSec, { from: noon - 9 * day, to: noon });
    const { everySec, days: use, levels } = profileOf(given);
    const everySecond = (levels.get(profileField) ?? []).filter((_, at) => at % 10 !== 3);

    expect([everySec, intervalSec(everySecond)]).toEqual([lengthSec, lengthSec]);
    const whole = use.filter(({ coveredSec }) => coveredSec === day);
    expect(whole).toHaveLength(days - 10);
    const register = judgedRegister(given).days[0]?.amount ?? 0;
    for (const { amount } of whole) expect(Math.abs(amount - register)).toBeLessThan(1e-3);
  });

  test("has no finding while it is healthy", () => {
    expect(aMeter(lengthSec).found).toEqual([]);
  });

  test("has one gap where values are missing, and an estimate for each of them that adds up to the register", () => {
    const { given, found } = aMeter(lengthSec, { from: noon, to: noon + 8 * hour });
    const judged = profileOf(given);
    const span = { kind: "gap", field: profileField, from: noon - lengthSec, to: noon + 8 * hour };
    const register = judgedRegister(given);
    const frame = frameOf(judged, span, register);
    const proposal = frame && propose({ judged, frame, lastYear: [], group: [] });

    expect(found).toEqual([{ kind: "gap", from: span.from, to: span.to }]);
    expect(frame?.slots).toHaveLength((8 * hour) / lengthSec);
    expect(frame?.fittedTo).toBe("register");
    const missing = (meanOf(noon, noon + 8 * hour) * 8 * hour) / hour;
    expect(Math.abs((proposal?.total ?? 0) - missing)).toBeLessThan(0.01);
  });

  test("whose energy of a day is twice that of the register is found by its sum, once", () => {
    const midnight = start + 40 * day;
    const kinds = aMeter(lengthSec, { from: midnight, to: midnight + day, times: 2 }).found.map(
      ({ kind }) => kind,
    );

    expect(kinds.filter((kind) => kind === "interval_sum")).toHaveLength(1);
  });

  test("is held against the contract by its half-hours", () => {
    const terms = (kw: number): Terms => ({
      ...{ measured: [{ from: 0, to: null }], parties: [], hasParties: false, ratioOver: () => 1 },
      contractPower: [{ from: 0, to: null, kw }],
    });
    const kindsOf = (kw: number) =>
      new Set(aMeter(lengthSec, undefined, terms(kw)).found.map(({ kind }) => kind));

    // The highest power is 7 kW: within 7.1, and beyond 6.5 for hours of each day.
    expect([...kindsOf(7.1)]).toEqual([]);
    expect([...kindsOf(6.5)]).toEqual(["contract_power"]);
  });
});

import { statuses, type AccountingPointId, type DeviceId } from "@metrum/vocabulary";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decimal, textOf } from "#core";
import type { CounterReading, ExactRange } from "#metering/messages";
import { withLoad } from "#testing/load";
import { nodesOfTie, ratioWithin, stepsOf, type Register } from "./chain.ts";
import { between, countedOf, exactRange, nodeAt, nodesOf, type Node } from "./nodes.ts";
import { piecesOf } from "./pieces.ts";
import { ratioSteps, type RatioTerm } from "./ratios.ts";
import type { Tie } from "./tieStore.ts";

const [hour, day] = [3600, 86_400];
const unbounded: ExactRange = { capacity: undefined, start: 0n };
/** A counter of three digits that begins at 100, whose load explains any growth. */
const small: ExactRange = withLoad({ capacity: 1_000_000_000n, start: 100_000_000n }, 1000);
const micro = (value: number): bigint => BigInt(Math.round(value * 1e6));
const unit = (value: bigint): number => Number(value) / 1e6;
const { measured, estimated, manual, corrected } = statuses;

const node = (hours: number, value: number, more: Partial<Node> = {}): Node => ({
  ...{ ts: hours * hour, value: micro(value), status: measured.id, acrossSec: 0 },
  origin: { kind: "reading", msgType: 1 },
  ...more,
});
const reading = (hours: number, value: number, more: Partial<CounterReading> = {}): CounterReading => ({
  ...{ ts: hours * hour, value, status: measured.id, msgType: 1, isCalculated: false },
  ...more,
});
const archive = { msgType: 101 };
const counted = (range: ExactRange, ...readings: CounterReading[]) =>
  nodesOf(readings, range).map(({ value }) => unit(value));

const aTie: Tie = {
  ...{ pointId: 1 as AccountingPointId, deviceId: 1 as DeviceId, field: "tariff0" },
  ...{ from: 0, to: null, opening: {}, closing: {} },
};
const aRegister = (nodes: readonly Node[], more: Partial<Register> = {}): Register => ({
  ...{ tie: aTie, field: "tariff0", range: unbounded, nodes, ratios: ratioSteps([]) },
  isRead: () => true,
  startOfDay: (ts) => Math.floor(ts / day) * day,
  endOfDay: (ts) => (Math.floor(ts / day) + 1) * day,
  monthEnds: () => [],
  ...more,
});
const midnights = Array.from({ length: 40 }, (_, n) => n * day);

describe("TRUST-011 an archive beside readings", () => {
  it("is judged by those up to six hours away, and by none beyond", () => {
    const beside = (hours: number) => counted(unbounded, reading(0, 1000), reading(hours, 900, archive));
    expect([beside(6), beside(6 + 1 / 3600)]).toEqual([[1000], [1000, 900]]);
    const before = (hours: number) => counted(unbounded, reading(1, 1000, archive), reading(1 + hours, 900));
    expect([before(6), before(6 + 1 / 3600)]).toEqual([[900], [1000, 900]]);
  });

  it("divides the growth between them without a rest, over a rollover too, and belongs to a side of a reset", () => {
    const within = (value: number) =>
      counted(small, reading(1, 1090), reading(2, value, archive), reading(3, 105));
    expect([within(1095), within(1099.5), within(103)]).toEqual([
      [1090, 1095, 105],
      [1090, 1099.5, 105],
      [1090, 103, 105],
    ]);
    expect([within(1080), within(106), within(500)]).toEqual([
      [1090, 105],
      [1090, 105],
      [1090, 105],
    ]);
    const reset = (value: number) =>
      counted(unbounded, reading(1, 110), reading(2, value, archive), reading(3, 5));
    expect([reset(112), reset(2), reset(50)]).toEqual([
      [110, 112, 5],
      [110, 2, 5],
      [110, 5],
    ]);
  });

  it("counts the readings that its register is made of, one an instant", () => {
    const values = fc.uniqueArray(
      fc.record({
        ...{ hours: fc.nat(20), value: fc.integer({ min: 100, max: 120 }) },
        ...{ msgType: fc.constantFrom(1, 100, 101), isCalculated: fc.boolean() },
        status: fc.constantFrom(measured.id, manual.id, corrected.id),
      }),
      { maxLength: 12, selector: ({ hours, msgType }) => `${String(hours)} ${String(msgType)}` },
    );
    fc.assert(
      fc.property(values, (all) => {
        const readings = all
          .map(({ hours, value, ...more }) => reading(hours, value, more))
          .toSorted((a, b) => a.ts - b.ts || a.msgType - b.msgType);
        const nodes = nodesOf(readings, unbounded);
        const found = countedOf(readings, unbounded);
        expect(found.map(({ ts, value }) => [ts, micro(value)])).toEqual(
          nodes.map(({ ts, value }) => [ts, value]),
        );
        expect(nodes.every(({ ts }, at) => ts > (nodes[at - 1]?.ts ?? -1))).toBe(true);
      }),
      { numRuns: 200 },
    );
  });
});

describe("TRUST-011 a register at an instant", () => {
  const nodes = [node(0, 100), node(4, 108), node(10, 111), node(16 + 1 / 3600, 120)];
  const valueAt = (hours: number) => {
    const found = nodeAt(nodes, hours * hour, unbounded);
    return found && unit(found.value);
  };

  it("is read there, or interpolated between values at most six hours apart, and unknown elsewhere", () => {
    expect([0, 1, 4, 7, 10].map(valueAt)).toEqual([100, 102, 108, 109.5, 111]);
    expect([-1, 12, 17].map(valueAt)).toEqual([undefined, undefined, undefined]);
    expect(nodeAt(nodes, 4 * hour, unbounded)).toBe(nodes[1]);
    expect(nodeAt([node(0, 100), node(4, 50)], hour, unbounded), "a reset").toBeUndefined();
  });

  it("has the status of what it rests on, and says how far apart that is", () => {
    const [measuredOne, estimatedOne] = [node(0, 100), node(0, 100, { status: estimated.id })];
    const [next, guessed] = [node(4, 108), node(4, 108, { status: estimated.id })];
    const of = (last: Node, to: Node) =>
      between({ last, next: to }, { ts: hour, by: micro(2), range: unbounded });
    expect(
      [of(measuredOne, next), of(estimatedOne, next), of(measuredOne, guessed)].map(({ status }) => status),
    ).toEqual([measured.id, estimated.id, estimated.id]);
    expect(of(measuredOne, next)).toEqual({
      ...{ ts: hour, value: micro(102), status: measured.id, acrossSec: 4 * hour },
      origin: { kind: "interpolated", last: measuredOne, next },
    });
  });

  it("passes the end of its range at its capacity, and only upwards from within", () => {
    const at = (value: number, by: number) =>
      unit(
        between({ last: node(0, value), next: node(4, 0) }, { ts: hour, by: micro(by), range: small }).value,
      );
    expect([at(1099, 0.999), at(1099, 1), at(1099, 1.5)]).toEqual([1099.999, 100, 100.5]);
    expect([at(1100, 0), at(1100, 5), at(1101, 5), at(1099, -5)]).toEqual([1100, 1105, 1106, 1094]);
  });

  it("has no capacity of a device that is not known", () => {
    expect(exactRange(undefined, "tariff0")).toMatchObject({ capacity: undefined, start: 0n });
  });
});

describe("AP-019 a register of a point", () => {
  const values = [node(-3, 90), node(0, 100), node(5, 105), node(10, 110), node(13, 113)];
  const term = (hours: number, noted?: number, factor = "10"): RatioTerm => ({
    ...{ kind: "ratio", from: hours * hour, to: null, factor: decimal(factor) },
    reading: noted === undefined ? {} : { tariff0: noted },
  });
  const valuesOf = (more: Partial<Register>) =>
    nodesOfTie(aRegister(values, more)).map(({ ts, value, origin }) => [ts / hour, unit(value), origin.kind]);

  it("begins and ends with its tie: with what was noted there, else what was read or lies between", () => {
    const tie = (from: number, to: number | null, more: Partial<Tie> = {}) => ({
      tie: { ...aTie, from: from * hour, to: to === null ? null : to * hour, ...more },
    });
    expect(valuesOf(tie(0, 10))).toEqual([
      [0, 100, "reading"],
      [5, 105, "reading"],
      [10, 110, "reading"],
    ]);
    expect(valuesOf(tie(1, 12))).toEqual([
      [1, 101, "interpolated"],
      [5, 105, "reading"],
      [10, 110, "reading"],
      [12, 112, "interpolated"],
    ]);
    expect(valuesOf(tie(0, 10, { opening: { tariff0: 99 }, closing: { tariff0: 111 } }))).toEqual([
      [0, 99, "opening"],
      [5, 105, "reading"],
      [10, 111, "closing"],
    ]);
    const unread = { isRead: (ts: number) => ts > 0 && ts < 12 * hour };
    expect(valuesOf({ ...tie(0, 12, { opening: { tariff0: 99 } }), ...unread })[0]).toEqual([
      0,
      100,
      "reading",
    ]);
    expect(valuesOf({ ...tie(-1, 12), ...unread }).map(([hours]) => hours)).toEqual([0, 5, 10]);
  });

  it("has what was noted with a change of the ratio, strictly within its tie", () => {
    const noted = (hours: number, to: number | null) =>
      valuesOf({
        tie: { ...aTie, to: to === null ? null : to * hour },
        ratios: ratioSteps([term(hours, 107)]),
      }).filter(([, , kind]) => kind === "noted");
    expect([noted(7, null), noted(7, 10)]).toEqual([[[7, 107, "noted"]], [[7, 107, "noted"]]]);
    expect([noted(0, null), noted(10, 10), noted(12, 10), noted(-2, 10)]).toEqual([[], [], [], []]);
  });

  it("has a ratio throughout an interval unless it changes strictly within", () => {
    const until = (hours: number) => ({ to: hours * hour });
    const steps = ratioSteps([
      { ...term(4), ...until(8) },
      { ...term(8, undefined, "20"), ...until(9) },
      term(9, 5, "20"),
    ]);
    const within = (from: number, to: number) => {
      const ratio = ratioWithin(steps, { from: from * hour, to: to * hour });
      return ratio && textOf(ratio);
    };
    expect([within(0, 4), within(4, 8), within(8, 12), within(10, 12)]).toEqual(["1", "10", "20", "20"]);
    expect([within(0, 4.01), within(7.99, 9)]).toEqual([undefined, undefined]);
  });

  it("leaves estimated values out that decide nothing: within a day, a ratio and a growth", () => {
    const guess = (hours: number, value: number) => node(hours, value, { status: estimated.id });
    const kept = (nodes: readonly Node[], more: Partial<Register> = {}) =>
      stepsOf(aRegister(nodes, more)).map(({ next, by }) => [next.ts / hour, by === null ? null : unit(by)]);
    expect(kept([node(1, 10), guess(5, 17), guess(6, 18), node(24, 20)])).toEqual([[24, 10]]);
    expect(kept([node(1, 10), guess(5, 17), node(24.1, 20)])).toEqual([
      [5, 7],
      [24.1, 3],
    ]);
    expect(kept([node(1, 10), guess(5, 17), node(20, 20)], { ratios: ratioSteps([term(8)]) })).toEqual([
      [5, 7],
      [20, 3],
    ]);
    expect(kept([node(1, 10), guess(5, 17), node(20, 4)])).toEqual([
      [5, 7],
      [20, null],
    ]);
    expect(kept([guess(1, 10), guess(5, 17), node(20, 20)])).toEqual([
      [5, 7],
      [20, 3],
    ]);
    expect(kept([node(1, 10), guess(5, 17)])).toEqual([[5, 7]]);
  });
});

describe("TRUST-026 a step of a register", () => {
  const parts = (nodes: readonly Node[], more: Partial<Register> = {}) => {
    const register = aRegister(nodes, more);
    return stepsOf(register).flatMap((step) =>
      piecesOf(register, step, midnights).pieces.map(({ from, to, amount, isGap, isDivided }) => [
        ...[from.ts / hour, to.ts / hour, Number(textOf(amount))],
        ...(isGap ? ["gap"] : []),
        ...(isDivided ? ["divided"] : []),
      ]),
    );
  };
  const unknown = (nodes: readonly Node[], more: Partial<Register> = {}) => {
    const register = aRegister(nodes, more);
    return stepsOf(register).flatMap((step) => piecesOf(register, step, midnights).unknown);
  };

  it("is divided at each midnight strictly within it where its ends are near", () => {
    expect(parts([node(22, 100), node(26, 104)])).toEqual([
      [22, 24, 2],
      [24, 26, 2],
    ]);
    expect(parts([node(20, 100), node(24, 104)])).toEqual([[20, 24, 4]]);
    expect(parts([node(24, 100), node(30, 106)])).toEqual([[24, 30, 6]]);
  });

  it("is a gap over midnight elsewhere, except beside a midnight ten times nearer to one end", () => {
    expect(parts([node(23, 100), node(33, 110)])).toEqual([[23, 33, 10, "gap"]]);
    expect(parts([node(23, 100), node(33.5, 110.5)])).toEqual([
      [23, 24, 1],
      [24, 33.5, 9.5],
    ]);
    expect(parts([node(15, 100), node(25, 110)])).toEqual([[15, 25, 10, "gap"]]);
    expect(parts([node(14.5, 100), node(25, 110.5)])).toEqual([
      [14.5, 24, 9.5],
      [24, 25, 1],
    ]);
    expect(parts([node(47, 0), node(121, 74)])).toEqual([
      [47, 48, 1],
      [48, 120, 72, "gap"],
      [120, 121, 1],
    ]);
    // At midnight already, and within one day.
    expect(parts([node(24, 0), node(48, 24)])).toEqual([[24, 48, 24]]);
    expect(parts([node(24, 0), node(96, 72)])).toEqual([[24, 96, 72, "gap"]]);
    expect(parts([node(25, 0), node(47, 22)])).toEqual([[25, 47, 22]]);
  });

  it("is divided evenly at ends of months where the company has chosen it, as an estimate", () => {
    const monthEnds = () => [48 * hour, 72 * hour];
    const register = aRegister([node(34, 0), node(94, 60)], { monthEnds });
    const found = stepsOf(register).flatMap((step) => piecesOf(register, step, midnights).pieces);
    expect(parts([node(34, 0), node(94, 60)], { monthEnds })).toEqual([
      [34, 48, 14, "divided"],
      [48, 72, 24, "divided"],
      [72, 94, 22, "divided"],
    ]);
    expect(found.map((each) => [each.isEstimated, each.statuses.includes(estimated.id)])).toEqual([
      [true, true],
      [true, true],
      [true, true],
    ]);
    // A midnight that is close needs no estimate.
    expect(parts([node(47, 0), node(107, 60)], { monthEnds: () => [48 * hour] })).toEqual([
      [47, 48, 1],
      [48, 107, 59, "gap"],
    ]);
  });

  it("is estimated if one of its ends is, and unknown over a change of the ratio, a reset and a leap", () => {
    const statusesOf = (nodes: readonly Node[]) => {
      const register = aRegister(nodes);
      return stepsOf(register).flatMap((step) =>
        piecesOf(register, step, midnights).pieces.map((each) => [each.isEstimated, each.statuses]),
      );
    };
    const guess = { status: estimated.id };
    expect(statusesOf([node(1, 0), node(2, 1)])).toEqual([[false, [measured.id, measured.id]]]);
    expect(statusesOf([node(1, 0, guess), node(2, 1)])).toEqual([[true, [estimated.id, measured.id]]]);
    expect(statusesOf([node(1, 0), node(2, 1, guess)])).toEqual([[true, [measured.id, estimated.id]]]);
    const ratios = ratioSteps([
      { kind: "ratio", from: 1.5 * hour, to: null, factor: decimal("10"), reading: {} },
    ]);
    const [from, to] = [node(1, 10), node(2, 12)];
    expect(unknown([from, to], { ratios })).toEqual([{ from, to, grown: micro(2), reason: "ratio" }]);
    const low = node(2, 4);
    expect(unknown([from, low])).toEqual([{ from, to: low, grown: null, reason: "reset" }]);
    const range = { capacity: micro(1000), start: 0n, holdsHours: 4_000 };
    const high = node(2, 900);
    expect(unknown([from, high], { range })).toEqual([{ from, to: high, grown: micro(890), reason: "leap" }]);
  });
});

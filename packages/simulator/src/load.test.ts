import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { demoPlan } from "./plans/demoPlan.ts";
import { history } from "./history.ts";
import { createLoad, origin } from "./load.ts";
import { createMeter, readingsOf } from "./meter.ts";
import { shapes, type LoadKind } from "./shapes.ts";

const kinds = Object.keys(shapes) as LoadKind[];
const year = 365 * 86_400;

describe("a load", () => {
  const anyLoad = fc.record({
    seed: fc.nat(),
    kind: fc.constantFrom(...kinds),
    hasLeaks: fc.boolean(),
    meanPerHour: fc.double({ min: 0.001, max: 100, noNaN: true }),
    utcOffsetSec: fc.constantFrom(0, 3 * 3600, 8 * 3600, -5 * 3600),
  });
  const anyMoment = fc.integer({ min: origin - year, max: origin + 5 * year });

  it("never runs backwards, whatever the step and across every border", () => {
    fc.assert(
      fc.property(anyLoad, anyMoment, fc.integer({ min: 1, max: 100_000 }), (options, at, step) => {
        const load = createLoad(options);
        expect(load.drawnAt(at + step)).toBeGreaterThanOrEqual(load.drawnAt(at));
        expect(load.rateAt(at)).toBeGreaterThanOrEqual(0);
      }),
      { numRuns: 2000 },
    );
  });

  it("is the same for the same seed and moment, in whatever order it is read", () => {
    fc.assert(
      fc.property(anyLoad, fc.array(anyMoment, { minLength: 2 }), (options, moments) => {
        const forwards = createLoad(options);
        const backwards = createLoad(options);
        const there = moments.map((at) => forwards.drawnAt(at));
        const back = moments.toReversed().map((at) => backwards.drawnAt(at));
        expect(back.toReversed()).toEqual(there);
      }),
    );
  });

  it("matches its mean over years and varies by day, week and season", () => {
    const drawn = (kind: LoadKind, from: number, to: number) => {
      const load = createLoad({ seed: 5, kind, meanPerHour: 2 });
      return load.drawnAt(to) - load.drawnAt(from);
    };
    const days = (from: string, count: number) => {
      const start = Date.parse(from) / 1000;
      return [start, start + count * 86_400] as const;
    };

    expect(drawn("office", origin, origin + 4 * year) / (4 * 365 * 24)).toBeCloseTo(2, 1);
    expect(drawn("heating", ...days("2026-01-01", 30))).toBeGreaterThan(
      5 * drawn("heating", ...days("2026-07-01", 30)),
    );
    expect(drawn("school", ...days("2026-11-18", 1))).toBeGreaterThan(
      3 * drawn("school", ...days("2026-11-22", 1)),
    );
    const noon = Date.parse("2026-11-18T10:00:00Z") / 1000;
    const night = Date.parse("2026-11-18T02:00:00Z") / 1000;
    expect(drawn("office", noon, noon + 3600)).toBeGreaterThan(3 * drawn("office", night, night + 3600));
  });

  it("with leaks consumes at night while it leaks, and more only then", () => {
    const tight = createLoad({ seed: 9, kind: "school", meanPerHour: 1 });
    const leaky = createLoad({ seed: 9, kind: "school", meanPerHour: 1, hasLeaks: true });
    const nights = Array.from({ length: 180 }, (_, at) => origin + at * 86_400 + 2 * 3600);

    const leaking = nights.filter((at) => leaky.rateAt(at) > tight.rateAt(at) + 0.5);

    expect(leaking.length).toBeGreaterThanOrEqual(8);
    expect(leaking.length).toBeLessThanOrEqual(12);
  });
});

describe("history", () => {
  const plan = demoPlan(3);
  const one = (modelId: number) => {
    const device = plan.devices.find((each) => each.modelId === modelId);
    if (!device) throw new Error(`no ${String(modelId)} in the plan`);
    return device;
  };

  it.each([101, 104, 201, 302, 301, 702, 120, 123, 129, 132, 210, 211, 310, 311])(
    "of model %i equals a poll at that moment",
    (modelId) => {
      const device = one(modelId);
      const from = origin + 600 * 86_400;

      for (const past of history(device, { from, to: from + 86_400, stepSec: 3600 })) {
        const polled = readingsOf(createMeter(device), past.at ?? 0).find(
          (each) => each.msgType === past.msgType,
        );
        for (const [name, value] of Object.entries(past.values))
          expect(polled?.values[name as keyof typeof past.values]).toBeCloseTo(value ?? 0, 4);
      }
    },
  );

  it("of every meter of the demonstration continues in its live values, also beyond the digits of a record", () => {
    const at = origin + 1_060 * 86_400;
    let wrapped = 0;
    for (const device of demoPlan().devices) {
      const polled = readingsOf(createMeter(device), at).find(({ msgType }) => msgType === 1)?.values ?? {};
      const [past] = history(device, { from: at, to: at + 1, stepSec: 1, msgTypes: [1] });
      const values = new Map<string, number | null>(Object.entries(polled));
      for (const [name, value] of Object.entries(past?.values ?? {}))
        expect(Math.abs((values.get(name) ?? 0) - (value ?? 0)), `${device.name} ${name}`).toBeLessThan(0.05);
      const { tariff1 = 0, V_in } = past?.values ?? {};
      if (V_in != null && V_in < (tariff1 ?? 0) * 42 - 1) wrapped += 1;
    }
    expect(wrapped).toBeGreaterThan(1);
  });

  it("has the gaps that the live meter has", () => {
    const device = one(101);
    const meter = createMeter(device);
    const from = origin + 500 * 86_400;
    const to = from + 90 * 86_400;

    const moments = new Set(
      [...history(device, { from, to, stepSec: 3600, msgTypes: [1] })].map(({ at }) => at),
    );

    const missing = (to - from) / 3600 - moments.size;
    expect(missing).toBeGreaterThan(0);
    expect(missing).toBeLessThan(60);
    for (let at = from; at < to; at += 3600) expect(moments.has(at)).toBe(!meter.isSilentAt(at));
  });

  it("the demonstration has at least 200 devices of four resources and sensors, each with its own address on its line", () => {
    const resources = new Set(plan.devices.map((device) => createMeter(device).model.resource));
    const places = new Set(
      plan.devices.map(({ gateway, insideAddr, deviceID }) => `${gateway ?? deviceID}/${insideAddr}`),
    );

    expect(plan.devices.length).toBeGreaterThanOrEqual(220);
    expect(resources).toEqual(new Set(["electricity", "heat", "water", "gas", "sensor"]));
    expect(places.size).toBe(plan.devices.length);
    expect(new Set(plan.devices.map(({ deviceID }) => deviceID)).size).toBe(plan.devices.length);
    expect(demoPlan(3)).toEqual(plan);
  });

  it("the demonstration uses every protocol of lines, polled or unsolicited", () => {
    const protocols = new Set(plan.devices.map((device) => createMeter(device).model.driver.protocol));

    expect([...protocols]).toEqual(
      expect.arrayContaining([
        ...["modbus-rtu", "modbus-tcp", "mbus", "dlms", "mercury230", "iec62056-21"],
        ...["wmbus", "p1"],
      ]),
    );
  });

  it("counters of tariffs add up to the total, and a profile agrees with the counters", () => {
    const device = plan.devices.find((each) => createMeter(each).model.driver.protocol === "mercury230");
    if (!device) throw new Error("the plan has no such meter");
    const at = origin + 200 * 86_400;
    const [before, after] = [at, at + 86_400].map((moment) => createMeter(device).stateAt(moment));
    const grown = (field: string) => (after?.(field) ?? 0) - (before?.(field) ?? 0);

    for (const counter of ["tariff", "tariff_reactive"])
      expect(grown(`${counter}1`) + grown(`${counter}2`)).toBeCloseTo(grown(`${counter}0`));
    expect(grown("tariff_reactive0") / grown("tariff0")).toBeCloseTo(0.34);
    expect((before?.("power_r_plus") ?? 0) / (before?.("power_a_plus") ?? 1)).toBeCloseTo(0.34);
  });

  it("rolls a counter over at the capacity of its model", () => {
    const device = { ...one(302), start: 99_999.9, meanPerHour: 1 };
    const volumes = [
      ...history(device, { from: origin, to: origin + 86_400, stepSec: 3600, msgTypes: [1] }),
    ].map(({ values }) => values.in1 ?? 0);

    expect(volumes[0]).toBeGreaterThan(99_999);
    expect(volumes.at(-1)).toBeLessThan(100);
  });
});

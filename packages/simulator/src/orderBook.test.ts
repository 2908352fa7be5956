import { converse } from "@metrum/protocols/core";
import { describe, expect, it } from "vitest";
import { createBus } from "./bus.ts";
import { createFaults, createObedience, isAsleep, noFaults, type Faults } from "./faults.ts";
import { origin } from "./load.ts";
import { createMeter, type Meter } from "./meter.ts";
import { mixedPlan } from "./plans/mixedPlan.ts";

const start = origin + 500 * 86_400;
const plan = mixedPlan({ count: 60, seed: 3 });
const aMeter = (modelId: number): Meter => {
  const device = plan.devices.find((each) => each.modelId === modelId);
  if (!device) throw new Error("the plan has no such meter");
  return createMeter(device);
};

/** A line with one meter. */
function aLine(modelId: number, faults: Partial<Faults> = {}, clock = { at: start }) {
  const meter = aMeter(modelId);
  const live = { ...noFaults, ...faults };
  const bus = createBus({
    meters: [meter],
    now: () => clock.at,
    isUnreachable: ({ device }) => isAsleep(live, device.seed, clock.at),
    obedience: createObedience(live, 1),
    faults: createFaults(live, 1),
  });
  const { driver } = meter.model;
  if (driver.kind !== "line") throw new Error("not on a line");
  const power = (value: 0 | 1) => driver.commands.power?.(meter.address, { power: value });
  return {
    meter,
    clock,
    switchTo(value: 0 | 1) {
      const dialogue = power(value);
      if (!dialogue) throw new Error("the meter cannot be switched");
      return converse(dialogue, { receive: (bytes) => bus.receive(bytes).map((piece) => piece.bytes) });
    },
  };
}

const switchable = [
  ["Mercury 230", 120],
  ["SPODES", 702],
] as const;

describe.each(switchable)("a simulated %s", (_, modelId) => {
  it("consumes nothing while it is switched off, and goes on from its counter afterwards", () => {
    const line = aLine(modelId);
    const { meter, clock } = line;
    const counterAt = (at: number) => meter.stateAt(at)("tariff0");
    const before = counterAt(start);

    expect(line.switchTo(0)).toMatchObject({ state: "done" });
    clock.at = start + 7200;
    const whileOff = { power: meter.stateAt(clock.at)("power_active"), counter: counterAt(clock.at) };
    expect(line.switchTo(1)).toMatchObject({ state: "done" });

    expect(whileOff.power).toBe(0);
    expect(whileOff.counter).toBeCloseTo(before);
    expect(counterAt(start + 3600)).toBeCloseTo(before);
    expect(counterAt(start + 10_800)).toBeGreaterThan(before);
    expect(meter.stateAt(start + 10_800)("power_active")).toBeGreaterThan(0);
    expect(meter.orders.log).toEqual([
      { at: start, order: { kind: "power", isOn: false }, did: "obey" },
      { at: start + 7200, order: { kind: "power", isOn: true }, did: "obey" },
    ]);
  });

  it("lets pass no more than its limit, and its counter agrees with its power", () => {
    const { meter } = aLine(modelId);
    const free = aMeter(modelId);
    const at = start + 3 * 3600;
    const limitKw = free.stateAt(start)("power_active") / 3;

    meter.orders.take({ kind: "limit", limitKw }, start, "obey");
    const grown = (of: Meter) => of.stateAt(at)("tariff0") - of.stateAt(start)("tariff0");
    const limited = grown(meter);
    meter.orders.take({ kind: "limit", limitKw: null }, at, "obey");

    expect(limited).toBeGreaterThan(0);
    expect(limited).toBeLessThanOrEqual(3 * limitKw + 1e-9);
    expect(limited).toBeLessThan(grown(free));
    expect(meter.stateAt(at + 600)("power_active")).toBeCloseTo(free.stateAt(at + 600)("power_active"));
  });

  it("refuses, or acknowledges and does nothing, as its faults say; neither is reported as done", () => {
    const refusing = aLine(modelId, { refuse: 1 });
    const lying = aLine(modelId, { lie: 1 });

    expect(refusing.switchTo(0).state).toBe("refused");
    expect(lying.switchTo(0).state).not.toBe("done");
    expect(lying.meter.orders.log.map(({ did }) => did)).toEqual(["lie"]);
    for (const { meter } of [refusing, lying])
      expect(meter.stateAt(start + 600)("power_active")).toBeGreaterThan(0);
  });

  it("neither receives nor answers while it sleeps", () => {
    const line = aLine(modelId, { asleep: 1 });

    expect(() => line.switchTo(0)).toThrow("no answer");
    expect(line.meter.orders.log).toEqual([]);
  });
});

it("a device sleeps for its share of each minute", () => {
  const seconds = Array.from({ length: 600 }, (_, at) => at);

  const asleep = seconds.filter((at) => isAsleep({ ...noFaults, asleep: 0.25 }, 7, at)).length;

  expect(asleep).toBeGreaterThan(140);
  expect(asleep).toBeLessThan(160);
});

it("late answers take longer", () => {
  const exchange = createFaults({ ...noFaults, late: 1, lateMs: 5000 }, 1);

  expect(exchange(new Uint8Array(1), [Uint8Array.of(1)])[0]?.afterMs).toBeGreaterThan(5000);
});

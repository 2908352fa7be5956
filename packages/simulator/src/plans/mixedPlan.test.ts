import { modelById } from "@metrum/catalogue";
import { expect, it } from "vitest";
import { createMeter, readingsOf } from "../meter.ts";
import { mixedPlan } from "./mixedPlan.ts";

it("creates a park of ten thousand devices over nine protocols, the same for the same options", () => {
  const plan = mixedPlan({ count: 10_000, seed: 1 });

  const protocols = new Set(
    plan.devices.map(({ modelId }) => {
      const model = modelById(modelId);
      return model?.kind === "meter" ? model.driver.protocol : "none";
    }),
  );
  expect(plan.devices).toHaveLength(10_000);
  expect(protocols).toEqual(
    new Set([
      ...["modbus-rtu", "modbus-tcp", "mercury230", "dlms", "iec62056-21", "mbus", "vega-si11"],
      ...["wmbus", "p1"],
    ]),
  );
  expect(mixedPlan({ count: 10_000, seed: 1 })).toEqual(plan);
});

it("gives every device, modem and converter its own place and number, in every park", () => {
  const plans = [0, 1].map((park) => mixedPlan({ count: 2000, seed: 1, park }));

  for (const of of ["devices", "gateways"] as const) {
    const numbers = plans.flatMap((plan) => plan[of].map(({ deviceID }) => deviceID));
    expect(new Set(numbers).size).toBe(numbers.length);
  }
  for (const { devices, gateways } of plans) {
    const places = devices.map(({ gateway, insideAddr, deviceID }) => `${gateway ?? deviceID}/${insideAddr}`);
    expect(new Set(places).size).toBe(places.length);
    const ports = gateways.flatMap(({ port }) => port ?? []);
    expect(new Set(ports).size).toBe(ports.length);
    const keys = new Set(gateways.map(({ key }) => key));
    expect(keys.size).toBe(gateways.length);
    expect(devices.every(({ gateway }) => gateway === undefined || keys.has(gateway))).toBe(true);
  }
});

it("consists of meters that answer", () => {
  const { devices } = mixedPlan({ count: 100, seed: 1 });
  const oneOfEach = new Map(devices.map((device) => [device.modelId, device]));

  for (const device of oneOfEach.values())
    expect(readingsOf(createMeter(device), 1_795_251_600).length, device.name).toBeGreaterThan(0);
});

it("refuses sizes for which it has no numbers or ports", () => {
  expect(() => mixedPlan({ count: 0, seed: 1 })).toThrow(RangeError);
  expect(() => mixedPlan({ count: 50_001, seed: 1 })).toThrow(RangeError);
  expect(() => mixedPlan({ count: 10_000, seed: 1, firstPort: 65_500 })).toThrow(RangeError);
});

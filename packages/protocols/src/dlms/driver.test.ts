import { describe, expect, it } from "vitest";
import { talk } from "../core/testing/testLine.ts";
import { dlms } from "./driver.ts";
import type { Manners } from "./responder/meter.ts";
import { dlmsResponder } from "./responder/responder.ts";
import { spodes } from "./spodes.ts";
import {
  aMeter,
  authentications,
  day,
  device,
  expectNow,
  now,
  options,
  stateAt,
  yesterday,
} from "./testing/testMeter.ts";

const combinations = (["hdlc", "wrapper"] as const).flatMap((transport) =>
  (["none", "lls", "gmac"] as const).flatMap((proof) =>
    [
      { maxInfo: 128, maxPdu: 1024 },
      { maxInfo: 32, maxPdu: 128 },
      { maxInfo: 1024, maxPdu: 0xffff },
    ].map((sizes) => ({ transport, proof, ...sizes })),
  ),
);

describe("client and simulated meter", () => {
  it.each(combinations)(
    "$transport, $proof, frames of $maxInfo, messages of $maxPdu: values, profile, journal",
    (each) => {
      const of = options({
        transport: each.transport,
        authentication: authentications[each.proof],
        maxInfo: each.maxInfo,
      });
      const manners: Manners = { ...each, events: [{ journal: "0.0.99.98.2.255", at: now - 3600, code: 5 }] };
      const driver = dlms(of);
      const meter = aMeter(of, manners);

      const values = talk(driver.poll({ kind: "now" }, device), meter);
      const profile = talk(driver.poll(yesterday, device), meter);
      const days = talk(
        driver.poll({ ...yesterday, msgType: 101, from: now - 5 * day, to: now }, device),
        meter,
      );
      const events = talk(driver.poll({ ...yesterday, msgType: 7, to: now }, device), meter);

      expect(values).toEqual(expectNow);
      expect(profile).toHaveLength(48);
      expect(profile[0]).toEqual({
        msgType: 5,
        at: yesterday.from,
        meterAt: yesterday.from + 1800,
        values: { power_a_plus: 2 },
      });
      expect(days).toHaveLength(5);
      expect(days.every(({ at }) => ((at ?? 0) + 480 * 60) % day === 0)).toBe(true);
      expect(events).toEqual([
        { msgType: 7, at: now - 3600, meterAt: now - 3600, values: { status_code: 5 } },
      ]);
    },
  );

  it.each(["sparse", "compact"] as const)("rows that are %s give the same profile", (rows) => {
    const driver = dlms(options());

    const whole = talk(driver.poll(yesterday, device), aMeter(options()));

    expect(talk(driver.poll(yesterday, device), aMeter(options(), { rows }))).toEqual(whole);
  });

  it("a profile read by position gives the same rows", () => {
    const table = options().profiles?.[0];
    const of = options({ profiles: table ? [{ ...table, access: "entry" }] : [] });

    const whole = talk(dlms(options()).poll(yesterday, device), aMeter(options()));

    expect(talk(dlms(of).poll(yesterday, device), aMeter(of))).toEqual(whole);
  });

  it("SPODES: current values from one row, load as mean power, daily and monthly snapshots", () => {
    const driver = spodes({
      transport: "hdlc",
      server: { logical: 1, bytes: 2, physical: "insideAddr" },
      utcOffsetMinutes: 180,
    });
    const own = { insideAddr: "17", deviceID: "41200042" };
    const meter = dlmsResponder({
      options: driver.options,
      device: own,
      state: stateAt(now),
      now: () => now,
      history: stateAt,
    });

    const values = talk(driver.poll({ kind: "now" }, own), meter);
    const load = talk(driver.poll(yesterday, own), meter);
    const months = talk(
      driver.poll({ ...yesterday, msgType: 103, from: now - 100 * day, to: now }, own),
      meter,
    );

    expect(values.find(({ msgType }) => msgType === 2)?.values).toMatchObject({
      power_active: 2,
      voltage1: 231.4,
      Frequency: 50.02,
    });
    expect(load).toHaveLength(48);
    expect(load.every(({ values: { power_a_plus: power } }) => power === 2)).toBe(true);
    expect(months.map(({ at }) => new Date(((at ?? 0) + 180 * 60) * 1000).getUTCDate())).toEqual([1, 1, 1]);
  });
});

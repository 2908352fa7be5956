import {
  converse,
  type KeptArchive,
  type LineDriver,
  type MeterHistory,
  type Reading,
} from "@metrum/protocols/core";
import { describe, expect, it } from "vitest";
import { meterModels } from "./models.ts";

/** 2026-11-21 12:10 UTC, 20:10 in Ulaanbaatar. */
const now = 1_795_263_000;
const utcOffsetMinutes = 480;
const hour = 3600;
const day = 24 * hour;

/** Increasing counters, so that every slot has a different value; months ago they are still above zero. */
const history: MeterHistory = (at) => (field) => {
  if (field.startsWith("cos")) return 0.95;
  return field.startsWith("tariff") || field.startsWith("in") ? 5000 + (at - now) / day : 20;
};

const lineModels = meterModels.flatMap((model) =>
  model.driver.kind === "line" ? [{ ...model, driver: model.driver }] : [],
);
const keeping = lineModels.filter(({ driver }) => driver.archives.length > 0);
const named = <M extends { brand: string; title: string }>(list: readonly M[]) =>
  list.map((model) => [`${model.brand} ${model.title}`, model] as const);

const device = {
  insideAddr: "1",
  deviceID: "12345678",
  utcOffsetMinutes,
  keys: {
    encryption: "000102030405060708090a0b0c0d0e0f",
    authentication: "d0d1d2d3d4d5d6d7d8d9dadbdcdddedf",
  },
};

function ask(driver: LineDriver, { msgType }: KeptArchive, from: number): Reading[] {
  const meter = driver.respond(device, history(now), () => now, history);
  return converse(driver.poll({ kind: "archive", msgType, from, to: now }, device), meter);
}

const localOf = (at: number): number => at + utcOffsetMinutes * 60;
const isOnGrid = ({ period }: KeptArchive, at: number): boolean => {
  if (period === "events") return true;
  if (period === "month") return new Date(localOf(at) * 1000).toISOString().endsWith("-01T00:00:00.000Z");
  return localOf(at) % period === 0;
};

describe.each(named(keeping))("the archives of %s", (_, model) => {
  it("are named once by message type, and shown in a tab", () => {
    const types = model.driver.archives.map(({ msgType }) => msgType);

    expect(new Set(types).size).toBe(types.length);
    const shown = Object.values(model.tabs).flatMap(({ msgTypes }) => msgTypes);
    // Journals have their own tab, if the model has it.
    for (const msgType of types.filter((each) => each !== 7)) expect(shown).toContain(msgType);
  });

  it("are in the slots given by the driver, by the local clock", () => {
    for (const archive of model.driver.archives) {
      const readings = ask(model.driver, archive, now - Math.min(archive.depthSec, 65 * day));

      for (const { msgType, at } of readings) {
        expect(msgType).toBe(archive.msgType);
        expect(isOnGrid(archive, at ?? Number.NaN), `${String(msgType)} at ${String(at)}`).toBe(true);
      }
    }
  });
});

describe.each(named(lineModels))("half-hour power of %s", (_, model) => {
  it("is read or calculated, never both", () => {
    const isKept = model.driver.archives.some(({ msgType }) => msgType === 5);

    expect(isKept && model.profileFrom !== undefined).toBe(false);
  });
});

const stampsOf = (readings: readonly Reading[]): number[] =>
  readings.flatMap(({ at, meterAt }) => (at === null && meterAt !== undefined ? [meterAt] : []));

describe.each(named(lineModels))("the clock of %s", (_, { driver }) => {
  const read = (from: typeof device) =>
    stampsOf(
      converse(
        driver.poll({ kind: "now" }, from),
        driver.respond(device, history(now), () => now, history),
      ),
    );

  it("is in local time of the device, whatever the default of the model", () => {
    const [stamp = now] = read(device);

    // A telegram of M-Bus has minutes only.
    expect(Math.abs(stamp - now)).toBeLessThan(60);
  });

  const saysNoZone = ["mbus", "mercury230", "iec62056-21"].includes(driver.protocol);
  if (saysNoZone)
    it("has no zone: the same digits are another moment elsewhere", () => {
      const elsewhere = read({ ...device, utcOffsetMinutes: utcOffsetMinutes - 60 });

      for (const stamp of elsewhere) expect(Math.abs(stamp - now - hour)).toBeLessThan(60);
    });
});

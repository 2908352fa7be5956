import { converse, fromHex, replay, type MeterState, type Reading } from "@metrum/protocols/core";
import {
  commandOf,
  fieldOf,
  fields,
  interfaces,
  isFieldName,
  isMessageType,
  pollManagement,
  tabs as tabNames,
  units,
} from "@metrum/vocabulary";
import { describe, expect, it } from "vitest";
import { deviceTypes } from "./deviceTypes.ts";
import type { MeterModel, Sample } from "./model.ts";
import { baseStationModels, gatewayModels, meterModels, modelById, models } from "./models.ts";

const named = <M extends { brand: string; title: string }>(list: readonly M[]) =>
  list.map((model) => [`${model.brand} ${model.title}`, model] as const);

const isArchiveCommand = (key: string): boolean => {
  const command = commandOf(key);
  return command?.changesDevice === false && command.answers === "archive";
};

const allValues = (readings: readonly Reading[]) =>
  Object.assign({}, ...readings.map((reading) => reading.values)) as Reading["values"];

function readSample({ driver }: MeterModel, sample: Sample): readonly Reading[] {
  if (sample.of === "uplink") {
    if (driver.kind !== "uplink") throw new Error("an uplink sample needs an uplink driver");
    return driver.decode(fromHex(sample.payload), sample.fport, sample.scale);
  }
  if (driver.kind !== "line") throw new Error("a recorded exchange needs a line driver");
  const keys = sample.of === "now" ? sample.keys : undefined;
  const device = {
    insideAddr: sample.insideAddr,
    deviceID: sample.deviceID ?? "",
    ...(keys === undefined ? {} : { keys }),
  };
  const exchange = sample.exchange.map(([sent, received]) => [fromHex(sent), fromHex(received)] as const);
  const request =
    sample.of === "archive" ? { kind: "archive" as const, ...sample.request } : { kind: "now" as const };
  return replay(driver.poll(request, device), exchange);
}

/** A different value for every field that the narrowest register can hold. */
const state: MeterState = (field) => {
  const at = Object.keys(fields).indexOf(field);
  if (field === "Q_in") return 3.25;
  return field.startsWith("cos") ? 0.9 + at / 10_000 : 20 + at / 10;
};

/** Keys that no device has. */
const sampleKeys = {
  encryption: "000102030405060708090a0b0c0d0e0f",
  authentication: "d0d1d2d3d4d5d6d7d8d9dadbdcdddedf",
};

describe("the catalogue", () => {
  it("has models whose keys are used: association by GMAC, and pushed lists", () => {
    const withBoth = meterModels.filter(
      ({ driver }) => driver.secrets?.encryption !== undefined && driver.secrets.authentication !== undefined,
    );
    const protocols = new Set(withBoth.map(({ driver }) => driver.protocol));

    expect([...protocols].sort()).toEqual(["dlms", "dlms-push"]);
  });

  it("has at least 60 models over all four resources, sensors, modems and base stations", () => {
    const resources = new Set(meterModels.map((model) => model.resource));

    expect(models.length).toBeGreaterThanOrEqual(60);
    expect([...resources]).toEqual(expect.arrayContaining(["electricity", "heat", "water", "gas", "sensor"]));
    expect(gatewayModels.map((model) => model.connection)).toEqual(
      expect.arrayContaining(["dial_in", "tcp_client"]),
    );
    expect(baseStationModels.length).toBeGreaterThan(0);
  });

  it("gives every model a unique id", () => {
    const ids = models.map((model) => model.id);

    expect(new Set(ids).size).toBe(ids.length);
    for (const model of models) expect(modelById(model.id)).toBe(model);
  });

  it("assigns the properties of special rules to the models that the specification names, and no others", () => {
    const idsOf = (list: readonly { readonly id: number }[]) =>
      list.map(({ id }) => id).sort((a, b) => a - b);

    expect(idsOf(gatewayModels.filter((model) => model.hasRawPayload))).toEqual([2]);
    expect(idsOf(gatewayModels.filter((model) => model.isAlwaysControlled))).toEqual([223, 224]);
    expect(idsOf(meterModels.filter((model) => model.hasOwnStartingValue))).toEqual([447]);
    expect(idsOf(meterModels.filter((model) => model.hasLogin))).toEqual([551, 552]);
    expect(idsOf(deviceTypes.filter((type) => type.hasVectors))).toEqual([3, 29]);
  });

  it.each(named(models))("%s uses known interfaces", (_, model) => {
    const known = interfaces.map((each) => each.name);

    expect(model.interfaces.length).toBeGreaterThan(0);
    expect(model.interfaces.filter((name) => !known.includes(name))).toEqual([]);
  });
});

describe.each(named(meterModels))("%s", (_, model) => {
  it("uses existing fields, message types, tabs and device types", () => {
    const tabs = Object.values(model.tabs);

    expect(model.fields.filter((field) => !isFieldName(field))).toEqual([]);
    expect(tabs.flatMap((tab) => tab.msgTypes).filter((id) => !isMessageType(id))).toEqual([]);
    expect(Object.keys(model.tabs).filter((key) => !(key in tabNames))).toEqual([]);
    expect(
      tabs.flatMap((tab) => tab.chart_fields ?? []).filter((field) => !model.fields.includes(field)),
    ).toEqual([]);
    expect(deviceTypes.find((each) => each.id === model.deviceTypeId)?.resource).toBe(model.resource);
    for (const name of model.fields) {
      const { title, unit } = fieldOf(name, model.resource);
      for (const language of ["ru", "en", "mn"] as const) {
        expect(title[language], name).not.toBe("");
        expect(units[unit][language], name).toBeTypeOf("string");
      }
    }
    const powers = (["power_a_plus", "power_r_plus"] as const).filter((name) => model.fields.includes(name));
    if (model.tabs.power_profiles) expect(model.tabs.power_profiles.chart_fields).toEqual(powers);
    if (model.profileFrom) {
      expect(model.fields).toContain(model.profileFrom);
      expect(model.tabs.power_profiles?.msgTypes).toEqual([5]);
    }
  });

  it("offers the commands that its driver has functions for, and no others", () => {
    const offered = Object.keys(model.controls);
    const { driver } = model;
    const executed = Object.keys(driver.commands ?? {});
    const byFunction = offered.filter((key) => !isArchiveCommand(key));

    expect(executed.filter((key) => !commandOf(key))).toEqual([]);
    expect(byFunction.filter((key) => !executed.includes(key))).toEqual([]);
    if (byFunction.length < offered.length)
      expect(driver.kind === "line" ? driver.archives.length : 0).toBeGreaterThan(0);
    if (driver.kind === "line") expect(offered).toEqual(expect.arrayContaining(Object.keys(pollManagement)));
  });

  it("DEV-035: reads its samples", () => {
    expect(model.samples.length).toBeGreaterThan(0);
    for (const sample of model.samples) {
      const readings = readSample(model, sample);
      if (sample.of === "archive")
        expect(readings.map(({ at, values }) => ({ at, values }))).toEqual(sample.gives);
      else expect(allValues(readings)).toEqual(sample.gives);
    }
  });

  it("DEV-035: reads what its own simulator shows", () => {
    const { driver } = model;
    const device = {
      insideAddr: "1",
      deviceID: "12345678",
      impulseWeight: 0.001,
      startingValue: 0,
      ...(driver.secrets?.authentication === undefined ? {} : { keys: sampleKeys }),
    };
    const at = 1_795_251_600;

    let readings: readonly Reading[];
    if (driver.kind === "line")
      readings = converse(
        driver.poll({ kind: "now" }, device),
        driver.respond(device, state, () => at),
      );
    else {
      const { fport, payload } = driver.encode(device, state, at);
      readings = driver.decode(payload, fport, device);
    }

    const values = Object.entries(allValues(readings));
    expect(values.length).toBeGreaterThan(0);
    const tabTypes = Object.values(model.tabs).flatMap((tab) => tab.msgTypes);
    for (const reading of readings) expect(tabTypes).toContain(reading.msgType);
    for (const [field, value] of values) {
      expect(model.fields).toContain(field);
      // The coarsest register keeps whole degrees: half a degree may be lost.
      expect(Math.abs((value ?? Number.NaN) - state(field)), field).toBeLessThanOrEqual(0.5);
    }
  });
});

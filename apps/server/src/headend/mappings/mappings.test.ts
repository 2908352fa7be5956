import { mappings } from "@metrum/contract/headend";
import { ProtocolError } from "@metrum/protocols/core";
import { demoPlan } from "@metrum/simulator";
import fc from "fast-check";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestApi, type TestApi } from "#testing/api";
import { registerPark } from "#testing/park";
import { takeMqttMessage } from "../uplinks/ways/mqttMessages.ts";
import { matchTopic, readMapped } from "./read.ts";

const meter = demoPlan(1).devices.find(({ modelId }) => modelId === 101);
if (!meter) throw new Error("no meter in the plan");

const definition = {
  topic: "plant/+/m-{device}/state",
  time: { path: "at", format: "milliseconds" as const },
  values: [
    { path: "data.energy[0].kwh", field: "tariff0" },
    { path: "data.u", field: "voltage1", factor: 0.1 },
    { path: "data.missing", field: "voltage2" },
  ],
};
const body = (more: object = {}) =>
  JSON.stringify({ at: 1_793_491_200_000, data: { energy: [{ kwh: "12.5" }], u: 2301 }, ...more });

let api: TestApi;
let id: number;
let token: string;
beforeAll(async () => {
  api = await openTestApi();
  const { gateway: _, ...lone } = meter;
  [id = 0] = await registerPark(api.services.database, api.companies.first, {
    gateways: [],
    baseStations: [],
    devices: [{ ...lone, deviceID: "A-7" }],
  });
  token = await api.token("engineer@metrum.example");
});
afterAll(() => api.close());

const publish = (topic: string, payload: string) =>
  takeMqttMessage(api.services, {
    companyId: api.companies.first,
    topic: `c${String(api.companies.first)}/${topic}`,
    payload: new TextEncoder().encode(payload),
  });

test("a company maps its messages, which then become readings of its devices", async () => {
  const saved = await api.ask(mappings.save, { token, input: { body: { name: "Plant", definition } } });
  await publish("plant/3/m-A-7/state", body());
  await publish("plant/3/m-A-7/state", "{");

  expect(saved.status).toBe(200);
  const { rows } = await sql<{ ts: number; source: number; v: number[] }>`
    select ts, source, v from message where device_id = ${id}`.execute(api.services.database.system);
  expect(rows).toMatchObject([{ ts: 1_793_491_200, source: 2 }]);
  expect(rows[0]?.v.toSorted((a, b) => a - b)[0]).toBe(12.5);
  expect(rows[0]?.v.some((value) => Math.abs(value - 230.1) < 1e-9)).toBe(true);
  const aside = await sql<{ reason: string }>`select reason from uplink_aside`.execute(
    api.services.database.system,
  );
  expect(aside.rows).toEqual([{ reason: "not JSON" }]);
});

test("a definition can be tried on a message; nothing is stored", async () => {
  const tryOn = async (topic: string, payload: string) =>
    (await api.ask(mappings.test, { token, input: { body: { definition, topic, payload } } })).data;

  expect(await tryOn("plant/1/m-X/state", body())).toEqual({
    device: "X",
    time: 1_793_491_200,
    values: { tariff0: 12.5, voltage1: 2301 * 0.1 },
    error: null,
    detail: "",
  });
  expect(await tryOn("plant/1/X/state", body())).toMatchObject({ error: "other_topic", detail: "" });
  expect(await tryOn("plant/1/m-X/state", body({ at: "now" }))).toMatchObject({
    error: "unreadable",
    detail: "at is not a time",
  });
});

test("errors of a definition are reported by name; only administrators can set one; a mapping can be removed", async () => {
  const save = (wrong: object, by = token) =>
    api.ask(mappings.save, {
      token: by,
      input: { body: { name: "W", definition: { ...definition, ...wrong } } },
    });

  const field = await save({ values: [{ path: "a", field: "warmth" }] });
  const device = await save({ topic: "a/b" });
  const path = await save({ values: [{ path: "a..b", field: "tariff0" }] });
  const operator = await save({}, await api.token("operator@metrum.example"));
  const theirs = await api.ask(mappings.list, { token: await api.token("engineer2@metrum.example") });
  const removed = await api.ask(mappings.remove, { token, input: { body: { topic: definition.topic } } });
  const again = await api.ask(mappings.remove, { token, input: { body: { topic: definition.topic } } });

  expect(field.attributes).toEqual({ "definition.values": ["нет такого поля: warmth"] });
  expect(Object.keys(device.attributes)).toEqual(["definition.topic"]);
  expect([path.status, operator.status, removed.status, again.status]).toEqual([422, 403, 200, 404]);
  expect(theirs.data.mappings).toEqual([]);
});

test.each([
  ["a/{device}", "a/7", "7"],
  ["a/{device}", "a/7/8", undefined],
  ["a/{device}/#", "a/7/8", "7"],
  ["a/+/x-{device}-y", "a/q/x-7-y", "7"],
  ["a/{device}", "b/7", undefined],
  ["a/{device}", "a/", undefined],
  ["a/+", "a/7", ""],
])("topic %s against %s names %s", (pattern, topic, device) => {
  expect(matchTopic(pattern, topic)).toBe(device);
});

test("any message becomes a reading or a ProtocolError", () => {
  fc.assert(
    fc.property(fc.oneof(fc.json(), fc.string()), (text) => {
      try {
        readMapped(
          { ...definition, values: [{ path: "__proto__.x", field: "tariff0" }] },
          "plant/1/m-1/state",
          new TextEncoder().encode(text),
        );
      } catch (error) {
        expect(error).toBeInstanceOf(ProtocolError);
      }
    }),
  );
});

const timed = (format: "iso" | "seconds" | "milliseconds", at: unknown) =>
  readMapped(
    { ...definition, time: { path: "at", format } },
    "plant/1/m-1/state",
    new TextEncoder().encode(JSON.stringify({ at, data: { u: 1 } })),
  ).at;

test("a time is an instant that a calendar has, or a number; nothing else is taken for one", () => {
  expect(timed("iso", "2026-11-21T10:00:00+08:00")).toBe(Date.UTC(2026, 10, 21, 2) / 1000);
  expect(timed("seconds", "1793491200")).toBe(1_793_491_200);
  for (const text of ["2026-02-31T10:00:00Z", "2026-11-21T10:00:00", "21 Nov 2026 10:00 Z", "Z"])
    expect(() => timed("iso", text), text).toThrow("at is not a time");
  for (const count of [true, [1_793_491_200], "0x6AE5A0C0", "", null])
    expect(() => timed("seconds", count), JSON.stringify(count)).toThrow("at is not a time");
});

test.each(["0x10", "0b1", "1 2", "", "NaN"])("the text %j is no number of a value", (u) => {
  const message = new TextEncoder().encode(body({ data: { u } }));

  expect(() => readMapped(definition, "plant/1/m-1/state", message)).toThrow("data.u is not a number");
});

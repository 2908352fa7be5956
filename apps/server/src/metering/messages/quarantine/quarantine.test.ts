import { ownSessions } from "@metrum/contract/access";
import { quarantine, quarantineBounds, readings } from "@metrum/contract/metering";
import { demoPlan } from "@metrum/simulator";
import type { DeviceId } from "@metrum/vocabulary";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestApi, type TestApi } from "#testing/api";
import { registerPark } from "#testing/park";
import { ingest, ingestEach } from "../ingest/ingest.ts";
import type { Incoming } from "../rows/types.ts";

const meter = demoPlan(1).devices.find(({ modelId }) => modelId === 101);
if (!meter) throw new Error("no meter in the plan");
const { gateway: _, ...lone } = meter;
const day = 86_400;

let api: TestApi;
let token: string;
let n = 0;
beforeAll(async () => {
  api = await openTestApi();
  token = await api.token("engineer@metrum.example");
});
afterAll(() => api.close());

async function addMeter(companyId = api.companies.first): Promise<DeviceId> {
  n += 1;
  const [id] = await registerPark(api.services.database, companyId, {
    gateways: [],
    baseStations: [],
    devices: [{ ...lone, deviceID: `Q-${String(n)}` }],
  });
  if (id === undefined) throw new Error("no device");
  return id as DeviceId;
}

const now = () => api.services.clock.now();
const aReading = (deviceId: DeviceId, given: Partial<Incoming> = {}): Incoming => ({
  deviceId,
  msgType: 1,
  ts: now(),
  receivedAt: now(),
  source: "pushed",
  values: { tariff0: 10 },
  ...given,
});
const listed = async (body: object = {}, by = token) =>
  (await api.ask(quarantine.list, { token: by, input: { body } })).data.readings;
const summary = async (body: object = {}, by = token) =>
  (await api.ask(quarantine.summary, { token: by, input: { body } })).data;
const release = (body: object, by = token) => api.ask(quarantine.release, { token: by, input: { body } });
const discard = (body: object, by = token) => api.ask(quarantine.discard, { token: by, input: { body } });
const stored = async (id: number) => {
  const { rows } = await sql<{ ts: number; status: number; source: number; received: number }>`
    select ts, status, source, ts + received_at_offset as received from message where device_id = ${id} order by ts`.execute(
    api.services.database.system,
  );
  return rows;
};

test("TRUST-008 readings with implausible time stamps wait in quarantine, each with its reason", async () => {
  const deviceId = await addMeter();
  const at = now();

  const outcomes = await ingestEach(api.services, [
    aReading(deviceId, { ts: at + 700 }),
    aReading(deviceId, { ts: at + 22 * 3600 }),
    aReading(deviceId, { ts: at - 400 * day }),
    aReading(deviceId, { ts: Date.UTC(2000, 0, 1) / 1000 }),
    aReading(deviceId, { ts: 915_148_800 }),
    aReading(deviceId, { ts: Number.NaN }),
    aReading(deviceId, { ts: at + 500 }),
    aReading(deviceId, { ts: at - 30 * day }),
    aReading(deviceId, { ts: at - 5 * 366 * day, msgType: 103 }),
  ]);

  expect(outcomes).toEqual([...Array<string>(6).fill("quarantined"), "stored", "stored", "stored"]);
  expect((await summary({ device_id: deviceId })).reasons).toEqual([
    { reason: "clock_ahead", count: 2 },
    { reason: "too_old", count: 2 },
    { reason: "before_2000", count: 1 },
    { reason: "no_time", count: 1 },
  ]);
  expect((await listed({ device_id: deviceId, reason: "no_time" })).data).toMatchObject([
    { datetime: null, received_at: at, source: "pushed", values: { tariff0: 10 }, state: "waiting" },
  ]);
  const { rows } = await sql`select from pg_class where relname = 'message_2000'`.execute(
    api.services.database.system,
  );
  expect(rows).toEqual([]);
});

test("TRUST-008 the first quarantined readings of a device are announced once, and again after all have been decided", async () => {
  const [id, other] = [await addMeter(), await addMeter()];
  const announced: number[] = [];
  const deaf = api.services.bus.on("quarantineBegan", (began) => {
    announced.push(...began.map(({ deviceId }) => deviceId));
  });
  const wrong = (deviceId: DeviceId, ahead: number) => aReading(deviceId, { ts: now() + ahead * day });

  await ingest(api.services, [wrong(id, 1), wrong(id, 2), aReading(other)]);
  await ingest(api.services, [wrong(id, 3), wrong(other, 1)]);
  await discard({ device_id: id });
  await ingest(api.services, [wrong(id, 4), wrong(other, 2)]);
  deaf();

  expect(announced).toEqual([id, other, id]);
});

test("imported and manual readings may be historical: only the year 2000 and the present are limits", async () => {
  const deviceId = await addMeter();
  const old = now() - 3000 * day;

  const outcomes = await ingestEach(api.services, [
    aReading(deviceId, { ts: old, source: "imported" }),
    aReading(deviceId, { ts: old + 1, source: "manual" }),
    aReading(deviceId, { ts: 915_148_800, source: "imported" }),
    aReading(deviceId, { ts: now() + day, source: "imported" }),
  ]);
  const entered = await api.ask(readings.dirtyOne, {
    token,
    input: { body: { device_id: deviceId, message: { datetime: now() + day, tariff1: 5 } } },
  });

  expect(outcomes).toEqual(["stored", "stored", "quarantined", "quarantined"]);
  expect([entered.status, Object.keys(entered.attributes)]).toEqual([422, ["message.datetime"]]);
  expect((await summary({ device_id: deviceId })).waiting).toBe(2);
});

test("TRUST-008 a released reading is stored with its source and receipt and checked like any other", async () => {
  const deviceId = await addMeter();
  const receivedAt = now() - 100;
  await ingest(api.services, [
    aReading(deviceId, { ts: now() - 3600, values: { tariff0: 100 } }),
    aReading(deviceId, { ts: receivedAt + 900, receivedAt, values: { tariff0: 5 } }),
    aReading(deviceId, { ts: Number.NaN, receivedAt }),
  ]);
  const { data } = await listed({ device_id: deviceId, reason: "clock_ahead" });

  const done = await release({ ids: data.map(({ id }) => id) });
  const again = await release({ ids: data.map(({ id }) => id) });
  const moment = await release({ device_id: deviceId });

  expect([done.status, done.data]).toEqual([
    200,
    { released: 1, stored: 1, left: expect.any(Number) as number },
  ]);
  expect(again.data).toMatchObject({ released: 0, stored: 0 });
  expect(moment.data).toEqual({ released: 0, stored: 0, left: 1 });
  const [, second] = await stored(deviceId);
  // A decreased counter is suspect, also in a released reading.
  expect(second).toEqual({ ts: receivedAt + 900, status: 3, source: 2, received: receivedAt });
  expect((await listed({ device_id: deviceId, state: "released" })).data).toMatchObject([
    { state: "released", decided_by: expect.any(String) as string, decided_at: expect.any(Number) as number },
  ]);
  const { rows } = await sql<{ subject: string; after: object }>`
    select subject, after from audit where action = 'quarantine.release'`.execute(
    api.services.database.system,
  );
  expect(rows).toMatchObject([{ subject: `device ${String(deviceId)}`, after: { readings: 1 } }]);
});

test("TRUST-008 discarded readings are not stored, and their user is recorded", async () => {
  const deviceId = await addMeter();
  await ingest(api.services, [aReading(deviceId, { ts: now() + day })]);

  const done = await discard({ device_id: deviceId, reason: "clock_ahead" });
  const late = await release({ device_id: deviceId });

  expect(done.data).toEqual({ discarded: 1, left: 0 });
  expect(late.data).toMatchObject({ released: 0 });
  expect(await stored(deviceId)).toEqual([]);
  expect((await listed({ device_id: deviceId, state: "discarded" })).data).toMatchObject([
    { state: "discarded", decided_by: expect.any(String) as string },
  ]);
});

test("5,000 readings of a device are released by one call", async () => {
  const deviceId = await addMeter();
  const at = now();
  await ingest(
    api.services,
    Array.from({ length: 5_000 }, (_, k) =>
      aReading(deviceId, { ts: at + day + k, values: { tariff0: 100 + k } }),
    ),
  );

  const { data } = await release({ device_id: deviceId });

  expect(data).toEqual({ released: 5_000, stored: 5_000, left: 0 });
  expect(await stored(deviceId)).toHaveLength(5_000);
});

test("a meter with a broken clock fills only its own quarantine; the rest is counted", async () => {
  const deviceId = await addMeter();
  const other = await addMeter();
  const at = now();
  const broken = Array.from({ length: quarantineBounds.ofDevice + 7 }, (_, k) =>
    aReading(deviceId, { ts: at + day + k }),
  );

  await ingest(api.services, [...broken, aReading(other, { ts: at + day })]);

  expect(await summary({ device_id: deviceId })).toMatchObject({
    waiting: quarantineBounds.ofDevice,
    not_kept: 7,
    devices: 1,
  });
  expect(await summary({ device_id: other })).toMatchObject({ waiting: 1, not_kept: 0 });
  while ((await discard({ device_id: deviceId })).data.left > 0);
  await ingest(api.services, broken.slice(0, 3));
  expect(await summary({ device_id: deviceId })).toMatchObject({ waiting: 0, not_kept: 0 });
  await ingest(api.services, [aReading(deviceId, { ts: at + 2 * day, receivedAt: at + 1 })]);
  expect(await summary({ device_id: deviceId })).toMatchObject({ waiting: 1 });
});

test("a repeated reading is in quarantine once, different ones of one moment are all kept", async () => {
  const deviceId = await addMeter();
  const ahead = aReading(deviceId, { ts: now() + day });

  await ingest(api.services, [ahead, ahead, { ...ahead, values: { tariff0: 11 } }]);
  await ingest(api.services, [ahead]);

  expect((await listed({ device_id: deviceId })).data.map(({ values }) => values)).toEqual([
    { tariff0: 10 },
    { tariff0: 11 },
  ]);
  expect((await summary({ device_id: deviceId })).waiting).toBe(2);
});

test("a company sees and decides on its own readings only, and only with the right", async () => {
  const foreign = await addMeter(api.companies.second);
  const own = await addMeter();
  await ingest(api.services, [aReading(foreign, { ts: now() + day }), aReading(own, { ts: now() + day })]);
  const [theirs] = (await listed({}, await api.token("engineer2@metrum.example"))).data;
  const [mine] = (await listed({ device_id: own })).data;

  const taken = await release({ ids: [theirs?.id, mine?.id] });
  const named = await api.ask(quarantine.list, { token, input: { body: { device_id: foreign } } });
  const viewer = await discard({ device_id: own }, await api.token("viewer@metrum.example"));

  expect(theirs?.device_id).toBe(foreign);
  expect([taken.status, named.status, viewer.status]).toEqual([404, 404, 403]);
  expect((await listed()).data.map(({ device_id }) => device_id)).not.toContain(foreign);
  expect((await summary({ device_id: own })).waiting).toBe(1);
  expect((await api.ask(ownSessions.list, { token })).status).toBe(200);
});

test("a key of arbitrary numbers identifies one reading or none", async () => {
  const own = await addMeter();

  const answer = await release({ ids: [`${String(own)}.999999999999999.99999.-9999999999999999.99999`] });
  const unknown = await release({ ids: ["9999999999.1.1.1.0"] });

  expect([answer.status, answer.data.released, unknown.status]).toEqual([200, 0, 404]);
});

test("an imported reading counts as contact with the device in its slot, not now", async () => {
  const [imported, pushed] = [await addMeter(), await addMeter()];
  const slot = now() - 30 * day;

  await ingest(api.services, [
    aReading(imported, { ts: slot, source: "imported" }),
    aReading(pushed, { ts: slot }),
  ]);
  await api.services.parts.readingStore.settle();

  const { rows } = await sql<{ id: number; at: number }>`
    select device_id as id, last_data_at as at from device_state where device_id in (${imported}, ${pushed})
    order by device_id`.execute(api.services.database.system);
  expect(rows[0]).toEqual({ id: imported, at: slot });
  expect(rows[1]?.at).toBeGreaterThan(slot + 29 * day);
});

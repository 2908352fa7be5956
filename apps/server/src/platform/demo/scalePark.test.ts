import type { DeviceId } from "@metrum/vocabulary";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { countDevices } from "#access/licence";
import { ingest } from "#metering/messages";
import { openTestApi, type TestApi } from "#testing/api";
import { registerScalePark, removeScalePark } from "./scalePark.ts";
import { companyOf } from "./store.ts";

const options = { count: 2500, seed: 1, park: 3 };
let api: TestApi;
beforeAll(async () => (api = await openTestApi()));
afterAll(() => api.close());

async function counted() {
  const { rows } = await sql<{ devices: number; gateways: number; readings: number; states: number }>`
    select (select count(*)::int from device) as devices, (select count(*)::int from gateway) as gateways,
      (select count(*)::int from message) as readings, (select count(*)::int from device_state) as states`.execute(
    api.services.database.system,
  );
  const [row] = rows;
  if (!row) throw new Error("nothing was counted");
  return row;
}

test("a park is registered once, does not count for the licence, and is removed with all its data", async () => {
  const { services } = api;
  const { system } = services.database;
  const companyId = api.companies.first;
  const before = await counted();
  const licensed = await countDevices(system);

  const added = await registerScalePark(services, companyId, options);
  const again = await registerScalePark(services, companyId, options);

  expect([added, again]).toEqual([2500, 0]);
  const { devices, gateways } = await counted();
  expect(devices - before.devices).toBe(2500);
  expect(gateways).toBeGreaterThan(before.gateways + 300);
  expect(await countDevices(system)).toBe(licensed);

  const { rows } = await sql<{ id: DeviceId }>`select id from device where name = 'V-P150000'`.execute(
    system,
  );
  const id = rows[0]?.id;
  if (id === undefined) throw new Error("the first device is missing");
  const now = services.clock.now();
  const read = {
    deviceId: id,
    msgType: 1,
    ts: now,
    receivedAt: now,
    source: "polled",
  } as const;
  await ingest(services, [{ ...read, values: { tariff0: 5 } }]);
  expect((await counted()).readings).toBe(before.readings + 1);

  expect(await removeScalePark(services, companyId, options)).toBe(2500);
  expect(await counted()).toEqual(before);
});

test("devices of users are kept when a park of the same company is removed", async () => {
  const { services } = api;
  const companyId = api.companies.second;
  const small = { count: 20, seed: 1, park: 4 };
  await registerScalePark(services, companyId, small);
  const { rows } = await sql<{ id: number }>`
    insert into device (company_id, model_id, model_title, device_group_id, device_type_id, interface_id, gateway_id, name, "deviceID")
    select ${companyId}::int, 101, 'SDM630', 4, 3, 10, g.id, 'Of a person', '4711' from gateway g
    where g.company_id = ${companyId} limit 1 returning id`.execute(services.database.system);

  await removeScalePark(services, companyId, small);

  const left = await sql<{ devices: number; gateways: number }>`
    select (select count(*)::int from device where id = ${rows[0]?.id}) as devices,
      (select count(*)::int from gateway where company_id = ${companyId}) as gateways`.execute(
    services.database.system,
  );
  expect(left.rows).toEqual([{ devices: 1, gateways: 1 }]);
});

test("a company is looked up by its id", async () => {
  expect(await companyOf(api.services.database.system, api.companies.first)).toBe(api.companies.first);
  expect(await companyOf(api.services.database.system, 999_999)).toBeUndefined();
});

import { consumers } from "@metrum/contract/access";
import { accountingPoints, pointDevices, validation } from "@metrum/contract/accounting";
import type { DeviceId } from "@metrum/vocabulary";
import { afterAll, beforeAll, expect, test } from "vitest";
import { noteSerials } from "#metering/device-state";
import { ingest } from "#metering/messages";
import { openTestApi, type TestApi } from "#testing/api";
import { addMeter } from "#testing/meter";
import { aReading, at } from "#testing/readings";
import { validateDue, watchDevices } from "./run/job.ts";
import { validateSpan } from "./run/run.ts";

const hour = 3600;
const day = 86_400;
const start = at("2026-05-31T22:00:00Z");
const days = 12;
const now = start + days * day;

let api: TestApi;
let token: string;
beforeAll(async () => {
  api = await openTestApi({ clock: { now: () => now, nowMs: () => now * 1000 } });
  token = await api.token("engineer@metrum.example");
});
afterAll(() => api.close());

const load = (n: number): number => 2 + (n % 24) / 12;

/** A meter of an accounting point, read every hour, with voltages of two phases. */
async function aMeasuredPoint(given: object = {}): Promise<{ deviceId: DeviceId; pointId: number }> {
  const deviceId = await addMeter(api);
  const { data } = await api.ask(accountingPoints.create, {
    token,
    input: { body: { title: "Shop", resource_type_id: 3, valid_from: start, ...given } },
  });
  const pointId = data.accounting_point.id;
  await api.ask(pointDevices.tieDevice, {
    token,
    input: { body: { accounting_point_id: pointId, device_id: deviceId, from: start } },
  });
  let level = 100;
  const readings = Array.from({ length: days * 24 }, (_, n) => {
    const ts = start + n * hour;
    if (n > 0) level += load(n - 1);
    return [
      aReading({ deviceId, msgType: 100, ts, values: { tariff0: Number(level.toFixed(3)) } }),
      aReading({
        deviceId,
        msgType: 2,
        ts,
        values: { voltage1: 231, voltage2: n > 200 && n < 250 ? 0 : 229 },
      }),
    ];
  }).flat();
  await ingest(api.services, readings);
  return { deviceId, pointId };
}

const judge = (deviceId: DeviceId) => validateSpan(api.services, { deviceId, from: start, to: now });
async function open(deviceId: DeviceId, language: "en" | "ru" = "en") {
  const { data } = await api.ask(validation.list, { token, language, input: { body: { per_page: 250 } } });
  return data.exceptions.data.filter((each) => each.device_id === deviceId);
}

test("TRUST-031 power above the contract of its time is found, and told with value, bound and unit", async () => {
  const { deviceId, pointId } = await aMeasuredPoint({ contract_power: 3.5 });
  await judge(deviceId);

  const found = (await open(deviceId)).filter(({ kind }) => kind === "contract_power");
  expect(found).toHaveLength(days);
  expect(found[0]?.summary.replaceAll("\u00a0", " ")).toMatch(
    /^3\.(833|917) kW with a contract of 3\.500 kW, \d values$/,
  );
  const [russian] = (await open(deviceId, "ru")).filter(({ kind }) => kind === "contract_power");
  expect(russian?.summary.replaceAll("\u00a0", " ")).toMatch(
    /^3,(833|917) кВт при договорной 3,500 кВт, значений: \d$/,
  );

  // A person accepts one: the reading stays as it is.
  const id = found[0]?.id ?? 0;
  await api.ask(validation.accept, { token, input: { body: { exception_ids: [id] } } });
  const { rows } = await api.services.database.pool.query(
    "select from message where device_id = $1 and status <> 1",
    [deviceId],
  );
  expect(rows).toEqual([]);

  await api.ask(accountingPoints.update, {
    token,
    input: { body: { id: pointId, contract_power: 5, valid_from: start } },
  });
  await judge(deviceId);
  expect((await open(deviceId)).filter(({ kind }) => kind === "contract_power")).toEqual([]);
});

test("TRUST-031 a phase that is gone is found, and its voltage is shown in volts", async () => {
  const { deviceId } = await aMeasuredPoint();
  await judge(deviceId);

  const [phase, ...others] = await open(deviceId);
  expect(others).toEqual([]);
  expect(phase).toMatchObject({ kind: "voltage", field: "voltage2", msgType: 2, values: 49 });
  const { data } = await api.ask(validation.get, {
    token,
    language: "en",
    input: { body: { exception_id: phase?.id ?? 0, window: "week" } },
  });
  expect(data.unit).toBe("V");
  expect(data.chart.measured.map(({ value }) => value)).toContain(229);
});

test("TRUST-031 consumption without a consumer is asked about once the company has consumers, until one is tied", async () => {
  const { deviceId, pointId } = await aMeasuredPoint();
  const noConsumer = async () => (await open(deviceId)).filter(({ kind }) => kind === "no_consumer");
  await judge(deviceId);
  expect(await noConsumer()).toEqual([]);

  const { data: tenant } = await api.ask(consumers.create, {
    token,
    input: { body: { name: "Tenant", subject_type_id: 2 } },
  });
  const { pointId: other } = await aMeasuredPoint();
  const tie = (id: number) =>
    api.ask(accountingPoints.update, {
      token,
      input: { body: { id, consumer_id: tenant.consumer._id, valid_from: start } },
    });
  await tie(other);
  await judge(deviceId);
  expect(await noConsumer()).toMatchObject([{ values: expect.any(Number) as number }]);

  await watchDevices(api.services);
  while ((await validateDue(api.services)) > 0);
  await tie(pointId);
  while ((await validateDue(api.services)) > 0);
  expect(await noConsumer()).toEqual([]);
});

test("TRUST-031 a meter that names another serial number is found until the number is registered", async () => {
  const { deviceId } = await aMeasuredPoint();
  const { pool, system } = api.services.database;
  await pool.query(`update device set "deviceID" = '41200045' where id = $1`, [deviceId]);
  const foreign = async () => (await open(deviceId)).filter(({ kind }) => kind === "foreign_serial");
  const name = async (serial: string, since: number) => {
    await noteSerials(system, [{ deviceId, serial, at: since }]);
    await judge(deviceId);
    return (await foreign()).map(({ summary }) => summary);
  };

  expect(await name("0041200045", now - 5 * day)).toEqual([]);
  expect(await name("55001234", now - 4 * day)).toEqual([
    "The meter names 55001234, registered is 41200045, since 09.06 00:00",
  ]);
  // An older message that comes late says nothing about the present.
  expect(await name("41200045", now - 5 * day)).toHaveLength(1);

  await watchDevices(api.services);
  while ((await validateDue(api.services)) > 0);
  await pool.query(`update device set "deviceID" = '55001234' where id = $1`, [deviceId]);
  while ((await validateDue(api.services)) > 0);
  expect(await foreign()).toEqual([]);
});

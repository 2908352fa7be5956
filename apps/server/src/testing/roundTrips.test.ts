import { meterModels } from "@metrum/catalogue";
import { devices, push, readings } from "@metrum/contract/metering";
import type { DeviceId } from "@metrum/vocabulary";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ingest } from "#metering/messages";
import { openTestApi, type TestApi } from "./api.ts";
import { openCountingLink, type CountingLink } from "./roundTrips.ts";

let api: TestApi;
let link: CountingLink;
let deviceId: DeviceId;

const day = 86_400;
/** Midnight a month ago. */
const from = Math.floor(Date.now() / 1000 / day) * day - 30 * day;
const model = meterModels.find(({ resource }) => resource === "electricity");

beforeAll(async () => {
  api = await openTestApi({
    connectOver: async (connection) => (link = await openCountingLink(connection)).connection,
  });
  const { rows } = await api.services.database.pool.query<{ id: DeviceId }>(
    `insert into device (company_id, model_id, model_title, device_group_id, device_type_id, interface_id, name, "deviceID")
      values ($1, $2, 'Model', 4, 3, 4, 'Meter', '4711') returning id`,
    [api.companies.first, model?.id],
  );
  deviceId = rows[0]?.id ?? (0 as DeviceId);
  const half = Array.from({ length: 400 }, (_, n) => n);
  const of = (msgType: number, stepSec: number, valuesAt: (n: number) => Record<string, number>) =>
    half.map((n) => ({
      ...{ deviceId, msgType, ts: from + n * stepSec, source: "polled" as const, values: valuesAt(n) },
      receivedAt: from + n * stepSec + 5,
    }));
  await ingest(api.services, [
    ...of(1, 1_800, (n) => ({ tariff0: 100 + n })),
    ...of(2, 1_800, () => ({ voltage1: 230 })),
    ...of(5, 1_800, (n) => ({ power_a_plus: n / 7, power_a_minus: 0 })),
    ...of(100, 3_600, (n) => ({ tariff0: 100 + n })),
  ]);
  await api.services.parts.readingStore.settle();
});
afterAll(async () => {
  await api.close();
  await link.close();
});

/** The fewest of some tries, each with a session that no cache has: other work of the process may come in between. */
async function fewest(run: (token: string, attempt: number) => Promise<{ status: number; text: string }>) {
  const counts: number[] = [];
  for (let attempt = 0; attempt < 4; attempt++) {
    const token = await api.token("engineer@metrum.example");
    // Its use is recorded once a minute.
    await api.services.database.pool.query("update session set last_seen_at = now() - interval '1 hour'");
    let answer = { status: 0, text: "" };
    counts.push(await link.roundTrips(async () => (answer = await run(token, attempt))));
    expect(answer).toMatchObject({ status: 200 });
  }
  // The first opens connections. The session is found before anything else is asked.
  const least = Math.min(...counts.slice(1));
  expect(least).toBeGreaterThanOrEqual(2);
  return least;
}

test("the device list waits for the database four times, session and rights included", async () => {
  expect(await fewest((token) => api.ask(devices.list, { token, input: { body: {} } }))).toBeLessThanOrEqual(
    4,
  );
});

test("the card of a device waits for the database four times", async () => {
  const input = { params: { id: String(deviceId) } };
  expect(await fewest((token) => api.ask(devices.get, { token, input }))).toBeLessThanOrEqual(4);
});

test.each([1, 2, 5, 100])("messages of type %i wait for the database five times", async (msgType) => {
  const body = { device_id: deviceId, msgType, startDate: from + day, stopDate: from + 8 * day, limit: 100 };
  expect(await fewest((token) => api.ask(readings.list, { token, input: { body } }))).toBeLessThanOrEqual(5);
});

test("a pushed reading waits for the database five times before it is acknowledged", async () => {
  const pushed = (token: string, attempt: number) => {
    const reading = {
      deviceID: "4711",
      time: from + (20 + attempt) * day,
      values: { tariff0: 700 + attempt },
    };
    return api.ask(push.readings, { token, input: { body: { readings: [reading] } } });
  };
  const stored = async () =>
    (await api.services.database.pool.query("select from message where v[1] between 700 and 703")).rowCount;

  expect(await fewest(pushed)).toBeLessThanOrEqual(5);
  expect(await stored()).toBe(4);
});

import { validation } from "@metrum/contract/accounting";
import type { DeviceId } from "@metrum/vocabulary";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ingest } from "#metering/messages";
import { openTestApi, type TestApi } from "#testing/api";
import { addMeter } from "#testing/meter";
import { aReading, at } from "#testing/readings";
import { validateDue, watchDevices } from "./run/job.ts";
import { validateSpan } from "./run/run.ts";

/** Has a memory of power profiles. */
const mercury = 120;
const half = 1800;
const day = 86_400;
/** Midnight of Berlin, no change of the clocks in the weeks that follow. */
const start = at("2026-05-03T22:00:00Z");
const days = 35;
let now = start + days * day + 3600;
let aheadMs = 0;

let api: TestApi;
let token: string;
beforeAll(async () => {
  api = await openTestApi({
    clock: { now: () => now, nowMs: () => now * 1000, monotonicMs: () => performance.now() + aheadMs },
  });
  token = await api.token("engineer@metrum.example");
});
afterAll(() => api.close());

const powerAt = (n: number): number => Math.round((10 + 5 * Math.sin((n / 48) * 2 * Math.PI)) * 1000) / 1000;
const allDays = Array.from({ length: days + 1 }, (_, at) => at);

/** Half-hours and midnights of a meter; some half-hours have another power, or none. */
async function aProfile(odd: Readonly<Record<number, number | null>>): Promise<DeviceId> {
  const deviceId = await addMeter(api);
  await api.services.database.pool.query(
    "update device set model_id = $2, created_at = to_timestamp($3) where id = $1",
    [deviceId, mercury, start - 30 * day],
  );
  let level = 500;
  const levels = allDays.map((each) => {
    const value = Math.round(level * 1e6) / 1e6;
    for (let n = each * 48; n < (each + 1) * 48; n++) level += powerAt(n) / 2;
    return aReading({ deviceId, msgType: 101, ts: start + each * day, values: { tariff0: value } });
  });
  const profile = Array.from({ length: days * 48 }, (_, n) => ({
    n,
    power: n in odd ? odd[n] : powerAt(n),
  })).flatMap(({ n, power }) =>
    typeof power === "number"
      ? [aReading({ deviceId, msgType: 5, ts: start + n * half, values: { power_a_plus: power } })]
      : [],
  );
  await ingest(api.services, [...levels, ...profile]);
  return deviceId;
}
const judge = (deviceId: DeviceId) => validateSpan(api.services, { deviceId, from: start, to: now });
async function open(deviceId: DeviceId) {
  const { data } = await api.ask(validation.list, { token, input: { body: { per_page: 250 } } });
  return data.exceptions.data.filter((each) => each.device_id === deviceId);
}
async function powers(deviceId: DeviceId, from: number, to: number) {
  const { rows } = await sql<{ status: number; power: number }>`
    select status, v[array_position(s.fields, 'power_a_plus')] as power from message m join field_set s on s.id = m.field_set_id
    where device_id = ${deviceId} and msg_type = 5 and ts between ${start + from * half} and ${start + to * half} order by ts`.execute(
    api.services.database.system,
  );
  return rows;
}
const n = 30 * 48 + 26;

test("TRUST-016 a spike of the profile is estimated so that the day agrees with its register to the last digit", async () => {
  const deviceId = await aProfile({ [n]: 214.6, [n + 1]: 238.9, [n + 2]: 197.3 });
  await judge(deviceId);
  const [spike, ...others] = await open(deviceId);
  if (!spike) throw new Error("no spike");
  expect([spike.kind, spike.field, spike.values, others]).toEqual(["spike", "power_a_plus", 3, []]);

  const { data: opened } = await api.ask(validation.get, {
    token,
    language: "en",
    input: { body: { exception_id: spike.id, window: "day" } },
  });
  expect(opened.proposal?.text).toMatch(/fitted to the register of the day/);
  // One cause is one exception: what the register of the day contradicts is named beside it.
  expect(opened.evidence.slice(0, 2)).toEqual([
    { state: "info", text: expect.stringMatching(/interval/i) as string },
    { state: "ok", text: expect.stringMatching(/agrees/i) as string },
  ]);
  expect(opened.chart.limit).not.toBeNull();
  const [changed] = opened.changes;
  const register = Array.from({ length: 48 }, (_, k) => powerAt(30 * 48 + k) / 2).reduce((a, b) => a + b, 0);
  expect(Number(changed?.after)).toBeCloseTo(register, 3);
  expect(changed?.is_lower).toBe(true);

  await api.ask(validation.estimate, { token, input: { body: { exception_ids: [spike.id] } } });
  const written = await powers(deviceId, n, n + 2);
  expect(written.map(({ status }) => status)).toEqual([5, 5, 5]);
  const sum = written.reduce((all, { power }) => all + power, 0);
  expect(sum).toBeCloseTo(powerAt(n) + powerAt(n + 1) + powerAt(n + 2), 3);
});

test("TRUST-015 missing half-hours are asked again from the meter, exactly once, and the request is kept with them", async () => {
  const deviceId = await aProfile(Object.fromEntries(Array.from({ length: 20 }, (_, k) => [n + k, null])));
  await judge(deviceId);
  const [gap] = await open(deviceId);
  expect([gap?.kind, gap?.values]).toEqual(["gap", 20]);

  const body = { exception_ids: [gap?.id ?? 0] };
  const { data } = await api.ask(validation.ask, { token, input: { body } });
  expect(data).toMatchObject({ asked: 1, refused: 0 });
  const { data: opened } = await api.ask(validation.get, {
    token,
    input: { body: { exception_id: gap?.id ?? 0 } },
  });
  expect(opened.steps.map(({ action }) => action)).toEqual(["ask"]);
  const { rows } = await sql<{ asked: number }>`
    select count(*)::int as asked from device_task where id = ${data.task_ids[0] ?? 0} and command_type = 'holes'`.execute(
    api.services.database.system,
  );
  expect(rows[0]?.asked).toBe(1);
});

test("TRUST-015 a refused value that the meter sends again is asked about again, not silently believed", async () => {
  const deviceId = await aProfile({ [n]: 214.6 });
  await judge(deviceId);
  const [spike] = await open(deviceId);
  await api.ask(validation.estimate, { token, input: { body: { exception_ids: [spike?.id ?? 0] } } });
  expect((await powers(deviceId, n, n))[0]?.status).toBe(5);

  now += 60;
  await ingest(api.services, [
    aReading({ deviceId, msgType: 5, ts: start + n * half, values: { power_a_plus: 214.6 } }),
  ]);
  await judge(deviceId);

  const [again] = await open(deviceId);
  expect(again?.id).toBe(spike?.id);
  const { data: opened } = await api.ask(validation.get, {
    token,
    input: { body: { exception_id: again?.id ?? 0 } },
  });
  expect(opened.steps.map(({ action }) => action)).toEqual(["estimate", "returned"]);
});

test("TRUST-014 changed readings of every device are judged by the worker", async () => {
  const deviceId = await aProfile({});
  expect(await watchDevices(api.services)).toBeGreaterThan(0);
  while ((await validateDue(api.services)) > 0);
  expect(await open(deviceId)).toEqual([]);

  now += 60;
  // By then every process knows that validation depends on the device.
  aheadMs += 60_000;
  await ingest(api.services, [
    aReading({ deviceId, msgType: 5, ts: start + n * half, values: { power_a_plus: 390 } }),
  ]);
  now += 120;
  while ((await validateDue(api.services)) > 0);

  expect((await open(deviceId)).map(({ kind }) => kind)).toEqual(["spike"]);
});

import { validation } from "@metrum/contract/accounting";
import { statuses, type DeviceId } from "@metrum/vocabulary";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ingest } from "#metering/messages";
import { openTestApi, type TestApi } from "#testing/api";
import { addMeter } from "#testing/meter";
import { aReading, at } from "#testing/readings";
import { validateSpan } from "./run/run.ts";

const minute = 60;
const day = 86_400;
const start = at("2026-04-30T22:00:00Z");
const days = 48;
const now = start + days * day;

let api: TestApi;
let token: string;
beforeAll(async () => {
  api = await openTestApi({ clock: { now: () => now, nowMs: () => now * 1000 } });
  token = await api.token("engineer@metrum.example");
});
afterAll(() => api.close());

const levelAt = (n: number, odd: readonly number[]): number =>
  1000 + n * 0.05 + 0.55 * 30 * odd.filter((each) => each * 1440 + 630 < n).length;

/** A reading every minute, 0.05 kWh apart; half an hour of each of these days has 0.6 kWh a minute. */
async function aMinuteMeter(odd: readonly number[]): Promise<DeviceId> {
  const deviceId = await addMeter(api);
  // One a month, so that each has its partition.
  for (const n of [0, 20 * 1440, 40 * 1440])
    await ingest(api.services, [
      aReading({ deviceId, msgType: 1, ts: start + n * minute, values: { tariff0: levelAt(n, odd) } }),
    ]);
  await sql`
    insert into message (device_id, msg_type, ts, field_set_id, status, source, v, received_at_offset)
    select ${deviceId}::int, 1, ${start}::bigint + n * ${minute}, first.field_set_id, 1, 1,
      array[1000 + n * 0.05 + 0.55 * (select sum(least(greatest(n - d * 1440 - 600, 0), 30)) from unnest(${[...odd]}::int[]) as d)], 1
    from message first, generate_series(1, ${days * 1440 - 1}::int) as n
    where first.device_id = ${deviceId} and first.ts = ${start}
    on conflict do nothing`.execute(api.services.database.system);
  return deviceId;
}

async function spikesOf(deviceId: DeviceId): Promise<number[]> {
  const { data } = await api.ask(validation.list, { token, input: { body: { per_page: 250 } } });
  const own = data.exceptions.data.filter((each) => each.device_id === deviceId);
  expect(new Set(own.map(({ kind }) => kind))).toEqual(new Set(["spike"]));
  return own.map(({ startDate }) => Math.floor((startDate - start) / day)).toSorted((a, b) => a - b);
}

/** The only exception of a new meter, over this many minutes from where it begins. */
async function anException(minutes: number): Promise<{ deviceId: DeviceId; id: number }> {
  const deviceId = await aMinuteMeter([9]);
  await validateSpan(api.services, { deviceId, from: start, to: now });
  const { rows } = await sql<{ id: number }>`
    update validation_exception set to_ts = from_ts + ${minutes * minute}::int, values_n = ${minutes + 1}::int
    where device_id = ${deviceId} returning id`.execute(api.services.database.system);
  return { deviceId, id: rows[0]?.id ?? 0 };
}
const reject = (id: number) =>
  api.ask(validation.reject, { token, input: { body: { exception_ids: [id] } } });
async function rejectedOf(deviceId: DeviceId): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from message
    where device_id = ${deviceId} and coalesce((by_field -> 'tariff0' ->> 'status')::int, status) = ${statuses.rejected.id}`.execute(
    api.services.database.system,
  );
  return rows[0]?.n ?? 0;
}

test("TRUST-015 a decision about thousands of values is one about all of them, and is taken back as a whole", async () => {
  const { deviceId, id } = await anException(2_000);

  const answer = await reject(id);
  const rejected = await rejectedOf(deviceId);
  await api.ask(validation.undo, { token, input: { body: { exception_id: id } } });

  expect(answer.status, answer.text).toBe(200);
  expect([rejected, await rejectedOf(deviceId)]).toEqual([2_001, 0]);
});

test("TRUST-015 an exception with more values than are read at once is refused by their number, and none is changed", async () => {
  const { deviceId, id } = await anException(21_000);

  const answer = await reject(id);

  expect([answer.status, answer.code]).toEqual([409, "validation_too_large"]);
  expect(answer.text).toContain("20000");
  expect(await rejectedOf(deviceId)).toBe(0);
});

test("TRUST-031 a span with more rows than are read at once is judged to its end, and found once however often", async () => {
  const odd = [9, 21, 33, 46];
  const deviceId = await aMinuteMeter(odd);

  await validateSpan(api.services, { deviceId, from: start, to: now });
  expect(await spikesOf(deviceId)).toEqual(odd);

  await validateSpan(api.services, { deviceId, from: now - day, to: now });
  await validateSpan(api.services, { deviceId, from: start + 20 * day, to: now });
  expect(await spikesOf(deviceId)).toEqual(odd);
});

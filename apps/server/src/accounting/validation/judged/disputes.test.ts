import { validation } from "@metrum/contract/accounting";
import { readings } from "@metrum/contract/metering";
import { statuses, type DeviceId } from "@metrum/vocabulary";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ingest } from "#metering/messages";
import { openTestApi, type TestApi } from "#testing/api";
import { addMeter } from "#testing/meter";
import { aReading, at } from "#testing/readings";
import { validateSpan } from "../run/run.ts";

let api: TestApi;
let token: string;
const hour = 3600;
const start = at("2026-10-01T00:00:00Z");
const now = start + 10 * 24 * hour;

beforeAll(async () => {
  api = await openTestApi({ clock: { now: () => now, nowMs: () => now * 1000 } });
  token = await api.token("engineer@metrum.example");
});
afterAll(() => api.close());

/** A day of hours at 10 an hour, from 700 on. */
async function aMeter(): Promise<DeviceId> {
  const deviceId = await addMeter(api);
  await ingest(
    api.services,
    Array.from({ length: 24 }, (_, n) =>
      aReading({ deviceId, ts: start + n * hour, values: { tariff0: 700 + 10 * n } }),
    ),
  );
  return deviceId;
}

async function found(deviceId: DeviceId) {
  await validateSpan(api.services, { deviceId, from: start, to: start + 48 * hour });
  const input = { body: { state: "open" as const, per_page: 250 } };
  const { data } = await api.ask(validation.list, { token, language: "en", input });
  return data.exceptions.data
    .filter((each) => each.device_id === deviceId)
    .map(({ id, kind, summary }) => ({ id, kind, summary }));
}

const enter = (deviceId: DeviceId, n: number, tariff0: number) =>
  api.ask(readings.dirtyOne, {
    token,
    input: { body: { device_id: deviceId, message: { datetime: start + n * hour, tariff0 } } },
  });

async function decisions(id: number) {
  const { data } = await api.ask(validation.get, {
    token,
    language: "en",
    input: { body: { exception_id: id } },
  });
  return data.decides;
}

async function stored(deviceId: DeviceId, n: number) {
  const { rows } = await sql<{ value: number; status: number }>`
    select m.v[array_position(s.fields, 'tariff0')] as value, status
    from message m join field_set s on s.id = m.field_set_id
    where device_id = ${deviceId} and msg_type = 1 and ts = ${start + n * hour}`.execute(
    api.services.database.system,
  );
  return [rows[0]?.value, Object.entries(statuses).find(([, { id }]) => id === rows[0]?.status)?.[0]];
}

const decide = (verb: "accept" | "reject" | "undo", id: number) => {
  if (verb === "undo") return api.ask(validation.undo, { token, input: { body: { exception_id: id } } });
  const body = { exception_ids: [id], reason: "Read again on the spot" };
  return api.ask(validation[verb], { token, input: { body } });
};

test("TRUST-028 an entered value beside a measured one is shown as a conflict, and a person decides which counts", async () => {
  const [accepted, rejected] = [await aMeter(), await aMeter()];
  for (const deviceId of [accepted, rejected]) await enter(deviceId, 20, 901);

  const [one] = await found(accepted);
  const [other] = await found(rejected);
  const before = await stored(accepted, 20);
  expect(await decisions(one?.id ?? 0)).toEqual({
    accept: "901.000\u00a0kWh counts",
    reject: "901.000\u00a0kWh is refused",
  });
  await decide("accept", one?.id ?? 0);
  await decide("reject", other?.id ?? 0);

  expect(one).toMatchObject({
    kind: "duplicate",
    summary:
      "900.000\u00a0kWh counts (polled), 901.000\u00a0kWh is not confirmed (entered by hand); accepting counts it",
  });
  expect(before).toEqual([900, "measured"]);
  expect(await stored(accepted, 20)).toEqual([901, "corrected"]);
  expect(await stored(rejected, 20)).toEqual([900, "corrected"]);
  expect([await found(accepted), await found(rejected)]).toEqual([[], []]);
  const { rows } = await sql<{ reason: string; by_somebody: boolean }>`
    select reason, replaced_by is not null as by_somebody from message_revision
    where device_id = ${accepted} and not is_refused`.execute(api.services.database.system);
  expect(rows).toEqual([{ reason: "Read again on the spot", by_somebody: true }]);

  await decide("undo", one?.id ?? 0);
  expect(await stored(accepted, 20)).toEqual(before);
  expect(await found(accepted)).toHaveLength(1);
});

test("TRUST-028 an entered value that its neighbours contradict is an exception, and accepting it confirms it", async () => {
  const deviceId = await aMeter();
  await sql`delete from message where device_id = ${deviceId} and ts = ${start + 20 * hour}`.execute(
    api.services.database.system,
  );
  await enter(deviceId, 20, 4976);

  const [one] = await found(deviceId);
  const before = await stored(deviceId, 20);
  expect(await decisions(one?.id ?? 0)).toBeNull();
  await decide("accept", one?.id ?? 0);

  expect(one).toMatchObject({
    kind: "negative",
    summary: "4\u00a0976.000\u00a0kWh entered after 890.000\u00a0kWh, not confirmed",
  });
  expect(before).toEqual([4976, "suspect"]);
  expect(await stored(deviceId, 20)).toEqual([4976, "corrected"]);
});

test("TRUST-028 two sources with different values of one time are one exception that names both", async () => {
  const deviceId = await aMeter();
  const pushed = (n: number, tariff0: number) =>
    aReading({ deviceId, ts: start + n * hour, source: "pushed", values: { tariff0 } });
  // The first is the same value with fewer decimals than a polled one would have.
  await ingest(api.services, [pushed(18, 880.4), pushed(20, 905), pushed(21, 915)]);

  const all = await found(deviceId);
  expect(await decisions(all[0]?.id ?? 0)).toEqual({
    accept: "900.000\u00a0kWh counts",
    reject: "905.000\u00a0kWh counts",
  });
  await decide("reject", all[0]?.id ?? 0);

  expect(all).toMatchObject([
    {
      kind: "duplicate",
      summary:
        "900.000\u00a0kWh counts (polled), of the same time 905.000\u00a0kWh (sent by the meter); rejecting counts it",
    },
  ]);
  expect([await stored(deviceId, 18), await stored(deviceId, 20), await stored(deviceId, 21)]).toEqual([
    [880, "measured"],
    [905, "corrected"],
    [915, "corrected"],
  ]);
});

test("TRUST-028 an archive that contradicts a reading of its time names both types, and which of them counts", async () => {
  const deviceId = await aMeter();
  await ingest(api.services, [
    aReading({ deviceId, ts: start + 20 * hour, msgType: 100, values: { tariff0: 904 } }),
  ]);

  const [one] = await found(deviceId);
  expect(one?.kind).toBe("duplicate");
  expect(one?.summary).toMatch(
    /^900.000\u00a0kWh counts \(.+, polled\), at the same time 904.000\u00a0kWh \(.+, polled\); rejecting counts it$/,
  );
});

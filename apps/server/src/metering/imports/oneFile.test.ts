import { imports } from "@metrum/contract/metering";
import { demoPlan } from "@metrum/simulator";
import { statuses, type DeviceId } from "@metrum/vocabulary";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ingest } from "#metering/messages";
import { openTestApi, type TestApi } from "#testing/api";
import { registerPark } from "#testing/park";

const meter = demoPlan(1).devices.find(({ modelId }) => modelId === 101);
if (!meter) throw new Error("no meter in the plan");
const { gateway: _, ...lone } = meter;

let api: TestApi;
let token: string;
let ids: readonly number[];
const names = ["F-1", "F-2", "F-3", "F-4"];
const start = Date.parse("2025-03-01T00:00:00Z") / 1000;
const at = (hours: number): number => start + hours * 3600;

beforeAll(async () => {
  api = await openTestApi();
  ids = await registerPark(api.services.database, api.companies.first, {
    gateways: [],
    baseStations: [],
    devices: names.map((deviceID) => ({ ...lone, deviceID })),
  });
  token = await api.token("engineer@metrum.example");
});
afterAll(() => api.close());

type Line = readonly [hours: number, value: number, type?: number];

async function imported(name: string, lines: readonly Line[]) {
  const rows = lines.map(([hours, value, type = 1]) => `${name};${String(at(hours))};${type};${value}`);
  const text = ["deviceID;time;msgType;tariff0", ...rows].join("\n");
  const { status, data } = await api.ask(imports.readings, { token, input: { body: { text } } });
  return [status, data.suspect];
}

/** Hours, values and whether they count, of a device. */
async function standing(name: string) {
  const { rows } = await sql<{ hours: number; value: number; status: number }>`
    select ((m.ts - ${start}) / 3600)::int as hours, m.v[array_position(s.fields, 'tariff0')] as value, m.status
    from message m join field_set s on s.id = m.field_set_id
    where device_id = ${ids[names.indexOf(name)]} and msg_type in (1, 101) order by ts, msg_type`.execute(
    api.services.database.system,
  );
  return rows.map(({ hours, value, status }) => [hours, value, status !== statuses.suspect.id]);
}

/** What stands before and after the times of a file. */
const around: readonly Line[] = [
  [0, 100],
  [100, 200],
];

const polled = (name: string, lines: readonly Line[]) =>
  ingest(
    api.services,
    lines.map(([hours, tariff0]) => ({
      ...{ deviceId: ids[names.indexOf(name)] as DeviceId, msgType: 1, ts: at(hours), receivedAt: at(hours) },
      ...{ source: "polled" as const, values: { tariff0 } },
    })),
  );

test("TRUST-028 a row that falls below one before it in the file is suspect, as below a stored reading, in either order of time", async () => {
  await polled("F-1", around);
  await polled("F-2", around);

  const falling = await imported("F-1", [
    [10, 150],
    [20, 120],
    [30, 160],
    [30, 160],
  ]);
  const backwards = await imported("F-2", [
    [30, 160],
    [20, 120],
    [10, 150],
    [5, 110],
  ]);

  expect(falling).toEqual([200, 1]);
  expect(await standing("F-1")).toEqual([
    [0, 100, true],
    [10, 150, true],
    [20, 120, false],
    [30, 160, true],
    [100, 200, true],
  ]);
  expect(backwards).toEqual([200, 1]);
  expect(await standing("F-2")).toEqual([
    [0, 100, true],
    [5, 110, true],
    [10, 150, false],
    [20, 120, true],
    [30, 160, true],
    [100, 200, true],
  ]);
});

test("TRUST-028 of two values of one register at one instant in a file the second is suspect and replaces nothing, in new times too", async () => {
  await polled("F-3", around);

  const among = await imported("F-3", [
    [10, 110],
    [10, 120],
    [20, 130],
  ]);
  const newer = await imported("F-4", [
    [10, 110],
    [10, 120],
    [20, 130],
    // The archive of a day says another thing than the reading of its end.
    [24, 140],
    [24, 150, 101],
    [24, 140],
  ]);

  expect(among).toEqual([200, 1]);
  expect(await standing("F-3")).toEqual([
    [0, 100, true],
    [10, 110, true],
    [20, 130, true],
    [100, 200, true],
  ]);
  expect(newer).toEqual([200, 2]);
  expect(await standing("F-4")).toEqual([
    [10, 110, true],
    [20, 130, true],
    [24, 140, true],
    [24, 150, false],
  ]);
});

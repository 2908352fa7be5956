import { taskLimits, tasks, taskStates } from "@metrum/contract/headend";
import { completeness } from "@metrum/contract/insight";
import { holeBounds, type HoleRefusal } from "@metrum/contract/metering";
import type { DeviceId } from "@metrum/vocabulary";
import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { ingest } from "#metering/messages";
import { openTestApi, type TestApi } from "#testing/api";
import { addMeter } from "#testing/meter";
import { aReading, at } from "#testing/readings";
import { beginItem, endItem, noteHoles } from "./taskStore.ts";

/** Has a memory of power profiles, and no hourly archive. */
const mercury = 120;
/** Midnight of Berlin, and half-hours of a day. */
const midnight = at("2026-06-08T22:00:00Z");
const [half, day, slots] = [1800, 86_400, 48];

let api: TestApi;
let now = at("2026-06-10T10:30:00Z");
let token: string;
beforeAll(async () => {
  api = await openTestApi({
    clock: { now: () => now, nowMs: () => now * 1000, monotonicMs: () => performance.now() },
  });
  token = await api.token("engineer@metrum.example");
});
afterAll(() => api.close());
beforeEach(async () => {
  await query("delete from device_task_item");
  await query("delete from device_task");
  now += 60;
});

const query = (text: string, values: readonly unknown[] = []) =>
  api.services.database.pool.query(text, [...values]);
const db = () => api.services.database.system;

async function aDevice(): Promise<DeviceId> {
  const id = await addMeter(api);
  await query(
    "update device set model_id = $2, model_title = 'Mercury 230 ART', created_at = to_timestamp($3) where id = $1",
    [id, mercury, now - 365 * day],
  );
  return id;
}

/** A day of half-hours, without those of these numbers. */
const put = (deviceId: DeviceId, missing: readonly number[], more: object = {}) =>
  ingest(
    api.services,
    Array.from({ length: slots }, (_, nth) => nth)
      .filter((nth) => !missing.includes(nth))
      .map((nth) => ({
        ...aReading({ deviceId, ts: midnight + nth * half, msgType: 5, values: { power_a_plus: 3 } }),
        ...more,
      })),
  );

const selection = (device_ids: readonly number[], more: object = {}) => ({
  device_ids: [...device_ids],
  msg_types: [5],
  start_date: midnight,
  stop_date: midnight + day - 1,
  ...more,
});
const ask = (device_ids: readonly number[], more: object = {}, by = token) =>
  api.ask(tasks.askHoles, { token: by, language: "en", input: { body: selection(device_ids, more) } });
const plan = (device_ids: readonly number[], more: object = {}, by = token) =>
  api.ask(tasks.planHoles, { token: by, language: "en", input: { body: selection(device_ids, more) } });
const refusals = ({ data }: Pick<Awaited<ReturnType<typeof plan>>, "data">): [HoleRefusal, number][] =>
  data.plan.not_asked.map(({ why, missing }) => [why, missing]);

test("TRUST-013 exactly the holes of a selection are requested, and their number is that of the board", async () => {
  const [some, whole] = [await aDevice(), await aDevice()];
  await put(some, [3, 4, 20]);
  await put(whole, []);
  const board = await api.ask(completeness.power, {
    token,
    input: { body: { device_id: some, start_date: midnight, stop_date: midnight + day - 1, msg_type: 5 } },
  });

  const before = await plan([some, whole]);
  const { data, text, status } = await ask([some, whole]);

  expect(status, text).toBe(200);
  expect(before.data.plan).toEqual(data.plan);
  const [type] = board.data.devices.data[0]?.types ?? [];
  expect(data.plan.missing).toBe((type?.expected ?? 0) - (type?.received ?? 0));
  expect(data.plan).toMatchObject({ missing: 3, asked: 3, devices: 1, requests: 1, not_asked: [] });
  expect(data.device_task).toMatchObject({
    command_type: "holes",
    device_ids: [some],
    status_id: taskStates.queued.id,
    holes: { msg_types: [5], start_date: midnight, asked: 3, filled: 0 },
  });
  expect(JSON.parse(text)).toMatchObject({ msg: "Missing values requested: 3" });
  const { rows } = await query("select action, after from audit where action = 'device.holes'");
  expect(rows).toMatchObject([{ after: { task: data.device_task?.id, device_ids: [some], rows: 3 } }]);
});

test("TRUST-013 a double click requests nothing twice; another selection requests only rows not requested yet", async () => {
  const [a, b] = [await aDevice(), await aDevice()];
  await put(a, [1]);
  await put(b, [1, 2]);

  const [first, second] = await Promise.all([ask([a]), ask([a])]);
  const both = await ask([a, b]);
  const { rows } = await query("select count(*)::int as n from device_task");

  expect(first.data.device_task?.id).toBe(second.data.device_task?.id);
  expect(refusals(both)).toEqual([["waiting", 1]]);
  expect(both.data.device_task).toMatchObject({ device_ids: [b], holes: { asked: 2 } });
  expect(rows).toEqual([{ n: 2 }]);
});

test("TRUST-013 rows that a meter cannot return are reported and not requested: erased, no archive, failed a check, switched off", async () => {
  const [old, readings, rejected, off] = [await aDevice(), await aDevice(), await aDevice(), await aDevice()];
  await put(rejected, [0, 1]);
  await ingest(api.services, [
    {
      ...aReading({ deviceId: rejected, ts: midnight, msgType: 5, values: { power_a_plus: 9 } }),
      status: "rejected",
    },
  ]);
  await put(off, [7]);
  await query("update device set is_active = false where id = $1", [off]);
  const longAgo = { start_date: midnight - 200 * day, stop_date: midnight - 200 * day };

  expect(refusals(await plan([old], longAgo))).toEqual([["erased", slots]]);
  expect(refusals(await plan([readings], { msg_types: [1] }))).toEqual([["not_kept", 24]]);
  expect(refusals(await plan([rejected]))).toEqual([["rejected", 1]]);
  expect(refusals(await plan([off]))).toEqual([["switched_off", 1]]);
  const { data, text } = await ask([off, old], longAgo);
  expect([data.device_task, JSON.parse(text)]).toMatchObject([
    null,
    { msg: expect.stringContaining("Nothing to request") as string },
  ]);
  expect((await ask([rejected, off])).data.device_task).toMatchObject({
    device_ids: [rejected],
    holes: { asked: 1 },
  });
});

test("TRUST-013 ACL-037 a list with foreign devices is refused, a tied user requests only tied devices, and trashed devices are never requested", async () => {
  const [tied, other, archived, removed] = [
    await aDevice(),
    await aDevice(),
    await aDevice(),
    await aDevice(),
  ];
  for (const id of [tied, other]) await put(id, [5]);
  await query(
    "insert into device_user (company_id, device_id, user_id) select company_id, $1, id from users where email = $2",
    [tied, "operator@metrum.example"],
  );
  const operator = await api.token("operator@metrum.example");
  const stranger = await api.token("engineer2@metrum.example");
  await query("update device set is_archived = true where id = $1", [archived]);
  await query("update device set deleted_at = now() where id = $1", [removed]);

  expect((await ask([tied], {}, stranger)).status).toBe(404);
  expect((await ask([tied, other], {}, operator)).status).toBe(404);
  expect((await ask([archived])).code).toBe("device_put_away");
  expect((await ask([removed])).code).toBe("device_put_away");
  const all = await api.ask(tasks.askHoles, {
    token: operator,
    input: { body: { msg_types: [5], start_date: midnight, stop_date: midnight } },
  });
  expect(all.data.device_task?.device_ids).toEqual([tied]);
  await query("delete from device_user");
});

test("TRUST-013 TASK-011 progress is counted by device and rows; only failed devices are requested again", async () => {
  const [a, b] = [await aDevice(), await aDevice()];
  await put(a, [1, 2]);
  await put(b, [1]);
  const { data } = await ask([a, b]);
  const taskId = data.device_task?.id ?? 0;

  const running = await beginItem(db(), taskId, a);
  await noteHoles(db(), { taskId, deviceId: a }, { msgType: 5, to: midnight + 2 * half, filled: 1 });
  await endItem(db(), { taskId, deviceId: a, startedMs: now * 1000, now, result: "ok", message: "" });
  await beginItem(db(), taskId, b);
  await endItem(db(), { taskId, deviceId: b, startedMs: now * 1000, now, result: "timeout", message: "" });
  const list = await api.ask(tasks.list, { token, input: { body: { ids: [taskId] } } });
  const results = await api.ask(tasks.results, { token, input: { body: { device_task_id: taskId } } });
  const again = await api.ask(tasks.repeat, { token, input: { body: { device_task_id: taskId } } });

  expect(running).toMatchObject({ holes: { msg_types: [5] }, holesTo: null });
  expect(list.data.device_tasks.data[0]).toMatchObject({ done_count: 1, holes: { asked: 3, filled: 1 } });
  expect(results.data.results.data.map((row) => [row.device_id, row.holes_asked, row.holes_filled])).toEqual([
    [a, 2, 1],
    [b, 1, 0],
  ]);
  expect(again.data.device_task).toMatchObject({
    command_type: "holes",
    device_ids: [b],
    holes: { asked: 1 },
  });
});

test("TRUST-013 a request is limited in rows, days, devices and requests per company; the remainder is reported", async () => {
  const ids: DeviceId[] = [];
  for (let nth = 0; nth < 18; nth++) ids.push(await aDevice());
  const days60 = { start_date: midnight - 59 * day, stop_date: midnight };

  const { data } = await plan(ids, days60);
  expect(data.plan).toMatchObject({
    missing: 18 * 60 * slots,
    asked: 17 * 60 * slots,
    devices: 17,
    requests: 17 * 30,
  });
  expect(refusals({ data })).toEqual([["too_many", 60 * slots]]);
  expect(data.plan.asked).toBeLessThanOrEqual(holeBounds.slots);
  const wrong = [
    await plan(ids, { start_date: midnight - 94 * day }),
    await plan(ids, { start_date: midnight + 2 * day }),
  ];
  expect(wrong.map(({ status, attributes }) => [status, Object.keys(attributes)])).toEqual([
    [422, ["start_date"]],
    [422, ["stop_date"]],
  ]);
  await sql`insert into device_task (company_id, title, command_type, status_id, created_at, expires_at, device_count)
    values (${api.companies.first}, 'Much', 'poll', 3, ${now}, ${now}, ${taskLimits.devices})`.execute(db());
  expect((await ask(ids.slice(0, 1))).code).toBe("task_limit");
});

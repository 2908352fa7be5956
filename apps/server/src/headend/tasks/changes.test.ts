import { auditLog } from "@metrum/contract/access";
import type { ReplyOf } from "@metrum/contract/core";
import { tasks, taskStates } from "@metrum/contract/headend";
import { devices } from "@metrum/contract/metering";
import type { DeviceId } from "@metrum/vocabulary";
import { sql } from "kysely";
import { rm, writeFile } from "node:fs/promises";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { countDevices } from "#access/licence";
import type { Events } from "#core";
import { openTestApi, type TestApi } from "#testing/api";
import { aLicence, serverBuild } from "#testing/access/licence";
import { makeChanges } from "./changeJob.ts";
import { expireItems, queuedItems } from "./taskStore.ts";
import { requestedAmong } from "./requestStore.ts";

let api: TestApi;
let token: string;
let announced: Events["tasksChanged"][number][] = [];

beforeAll(async () => {
  api = await openTestApi({ env: serverBuild });
  token = await api.token("engineer@metrum.example");
  api.services.bus.on("tasksChanged", (changes) => announced.push(...changes));
});
afterAll(() => api.close());
beforeEach(async () => {
  await sql`delete from device_task_item`.execute(db());
  await sql`delete from device_task`.execute(db());
  await sql`delete from device`.execute(db());
  announced = [];
});

const db = () => api.services.database.system;

async function someDevices(count: number, company = api.companies.first): Promise<DeviceId[]> {
  const { rows } = await sql<{ id: DeviceId }>`
    insert into device (company_id, model_id, model_title, device_group_id, device_type_id, interface_id, name, "deviceID")
    select ${company}, 101, 'SDM630-Modbus', 4, 3, 4, 'Meter ' || n, 'M-' || n from generate_series(1, ${count}::int) n
    returning id`.execute(db());
  return rows.map(({ id }) => id);
}

const ask = (body: object, as = token) =>
  api.ask(tasks.change, { token: as, language: "en", input: { body } as never });
const work = () => makeChanges(api.services);
async function change(body: object) {
  const { data, status, text } = await ask(body);
  expect(status, text).toBe(200);
  await work();
  if (!data.device_task) throw new Error("no device matches");
  return data.device_task;
}
const taskNow = async (id: number) => {
  const { data } = await api.ask(tasks.list, { token, input: { body: { ids: [id] } } });
  return data.device_tasks.data[0];
};
const results = async (id: number): Promise<ReplyOf<typeof tasks.results>["results"]["data"]> => {
  const input = { body: { device_task_id: id, per_page: 100 } };
  return (await api.ask(tasks.results, { token, language: "en", input })).data.results.data;
};
const listed = async (body: object = {}) =>
  (
    await api.ask(devices.list, { token, input: { body: { per_page: 2500, ...body } } })
  ).data.metering_devices.data.map(({ id }) => id);
const logged = async (action: string) =>
  (await api.ask(auditLog.log, { token, input: { body: { action } } })).data.log;

test("DEV-005 DEV-006 DEV-007 all devices matching a filter are trashed, restored and removed, each as one task", async () => {
  const ids = await someDevices(12);
  const filter = { search_string: "Meter 1" };
  const chosen = [ids[0], ids[9], ids[10], ids[11]];

  const trash = await change({ action: "trash", filter });
  expect(trash).toMatchObject({
    command_type: "change",
    change: { action: "trash" },
    device_count: 4,
    status_id: taskStates.queued.id,
    title_en: "Devices to the trash",
  });
  expect(await taskNow(trash.id)).toMatchObject({
    status_id: taskStates.done.id,
    done_count: 4,
    failed_count: 0,
  });
  expect(await listed({ is_deleted: true })).toEqual(chosen);
  await change({ action: "restore", filter: { ...filter, is_deleted: true } });
  expect(await listed()).toHaveLength(12);
  await change({ action: "trash", filter });
  await change({ action: "remove", filter: { is_deleted: true } });

  expect(await listed({ is_deleted: true })).toEqual([]);
  const { rows } = await sql<{
    id: number;
  }>`select id from device where removed_at is not null order by id`.execute(db());
  expect(rows.map(({ id }) => id)).toEqual(chosen);
});

test("the audit log records the task and each device that is different now, with the user who requested it", async () => {
  const ids = await someDevices(3);

  await change({ action: "switch_off", filter: {} });
  const again = await change({ action: "switch_off", filter: {} });

  expect(await taskNow(again.id)).toMatchObject({ status_id: taskStates.done.id, done_count: 3 });
  expect(await listed({ device_state: "inactive" })).toEqual(ids);
  const entries = (await logged("device.switch")).filter(({ object_id }) =>
    ids.includes(Number(object_id) as DeviceId),
  );
  expect(entries).toHaveLength(3);
  expect(entries[0]).toMatchObject({ object_type: "device", after: { is_active: false } });
  expect(entries[0]?.user_name).toBeTruthy();
  expect((await logged("device.changeMany"))[0]).toMatchObject({
    after: { action: "switch_off", device_ids: ids },
  });
});

test("UI-066 the outcome is reported for each device as text, and only failed devices are repeated", async () => {
  const [a, b, c] = await someDevices(3);
  await sql`update device set deleted_at = now(), "deviceID" = 'same' where id in (${a}, ${b})`.execute(db());

  const { id } = await change({ action: "restore", filter: { is_deleted: true } });

  expect(await taskNow(id)).toMatchObject({
    status_id: taskStates.partly_done.id,
    done_count: 1,
    failed_count: 1,
  });
  const rows = await results(id);
  expect(rows.map(({ device_id, status_id, message }) => [device_id, status_id, message])).toEqual([
    [a, taskStates.done.id, ""],
    [b, taskStates.failed.id, "Another device has the identifier"],
  ]);
  await sql`update device set "deviceID" = 'other' where id = ${a}`.execute(db());
  const again = await api.ask(tasks.repeat, { token, input: { body: { device_task_id: id } } });
  await work();
  expect(again.data.device_task).toMatchObject({ command_type: "change", device_ids: [b] });
  expect(await listed()).toEqual([a, b, c]);
});

test("a new poll period of many devices reschedules them and sets the silence limit to three periods, unless a poll group sets it", async () => {
  const [a, b] = await someDevices(2);
  await sql`update device_state set next_poll_at = 5 where company_id = ${api.companies.first}`.execute(db());
  await sql`insert into poll_group (id, company_id, name, model_id, connection_type, device_interface_id,
      report_period_update, warning_report_period, created_at)
    values (900, ${api.companies.first}, 'G', 101, 'tcp', 4, 900, 2700, 1)`.execute(db());
  await sql`insert into poll_group_device (group_id, device_id, company_id) values (900, ${b}, ${api.companies.first})`.execute(
    db(),
  );

  const { id } = await change({ action: "period", report_period_update: 86_400, filter: {} });

  const { rows } = await sql<object>`
    select d.id, report_period_update, warning_report_period, next_poll_at from device d
    join device_state on device_id = d.id order by d.id`.execute(db());
  expect(rows[0]).toEqual({
    id: a,
    report_period_update: 86_400,
    warning_report_period: 259_200,
    next_poll_at: null,
  });
  expect(rows[1]).toMatchObject({ id: b, next_poll_at: 5 });
  expect((await results(id)).map(({ message }) => message)).toEqual(["", "Its poll group sets the period"]);
  await sql`delete from poll_group`.execute(db());
});

test("DEV-063 devices restored from the archive or the trash count towards the licence; those beyond its limit stay there", async () => {
  const [a, b, c] = await someDevices(3);
  await change({ action: "archive", filter: {} });
  expect(await listed({ is_archived: true })).toEqual([a, b, c]);
  const path = api.services.config.licenceFile;
  await writeFile(path, aLicence({ devices: (await countDevices(db())) + 2 }));

  const { id } = await change({ action: "unarchive", filter: { is_archived: true } });
  await rm(path);

  expect((await results(id)).map(({ message }) => message)).toEqual([
    "",
    "",
    "The licence has no place left",
  ]);
  expect(await listed()).toEqual([a, b]);
});

test("an action needs its right, a device of the company, and a period only if it sets one", async () => {
  const [a] = await someDevices(1);
  const [foreign] = await someDevices(1, api.companies.second);
  const operator = await api.token("operator@metrum.example");

  const noRight = await ask({ action: "trash", filter: {} }, operator);
  const notOurs = await ask({ action: "trash", filter: { ids: [a, foreign] } });
  const none = await ask({ action: "trash", filter: { search_string: "nothing" } });
  const noPeriod = await ask({ action: "period", filter: {} });
  const period = await ask({ action: "trash", report_period_update: 900, filter: {} });

  expect([noRight.code, notOurs.code]).toEqual(["right_missing", "not_found"]);
  expect([none.status, none.data.device_task, none.msg]).toEqual([200, null, "No device matches the filter"]);
  expect([noPeriod.status, period.status]).toEqual([422, 422]);
  await work();
  expect(await listed()).toEqual([a]);
});

test("a user restricted to some devices changes only those", async () => {
  const [a, b] = await someDevices(2);
  await sql`insert into device_user (device_id, user_id, company_id)
    select ${a}, id, company_id from users where email = 'operator@metrum.example'`.execute(db());
  const operator = await api.token("operator@metrum.example");

  const { status } = await ask({ action: "switch_off", filter: {} }, operator);
  await work();

  expect(status).toBe(200);
  expect(await listed({ device_state: "inactive" })).toEqual([a]);
  expect(await listed({ device_state: "active" })).toEqual([b]);
});

test("TASK-004 a pending task can be cancelled, and no line polls its devices", async () => {
  const ids = await someDevices(2);
  const device_task_id = (await ask({ action: "switch_off", filter: {} })).data.device_task?.id ?? 0;

  expect(await queuedItems(db(), 4_000_000_000, 10)).toEqual([]);
  const scope = { companyId: api.companies.first } as never;
  expect(await requestedAmong(db(), scope, ids)).toEqual(new Set());
  const { data: answer } = await api.ask(tasks.cancel, {
    token,
    input: { body: { device_task_ids: [device_task_id] } },
  });
  await work();

  expect(answer.cancelled).toBe(2);
  expect(await listed({ device_state: "inactive" })).toEqual([]);
  expect(await expireItems(db(), 4_000_000_000)).toEqual([]);
});

test("two workers share the tasks: each device is changed once, and the task is announced, not its devices", async () => {
  await someDevices(40);
  await ask({ action: "switch_off", filter: {} });
  await ask({ action: "archive", filter: {} });

  await Promise.all([work(), work()]);

  expect(await listed({ is_archived: true, device_state: "inactive" })).toHaveLength(40);
  expect(announced.every(({ deviceId }) => deviceId === undefined)).toBe(true);
  expect(announced.filter(({ statusId }) => statusId === taskStates.done.id)).toHaveLength(2);
});

test("a failing batch is marked as failed and does not stop the others", async () => {
  await someDevices(2);
  const id = (await ask({ action: "switch_off", filter: {} })).data.device_task?.id ?? 0;
  await sql`update device_task set change = '{"action":"period"}' where id = ${id}`.execute(db());

  await work();

  expect((await taskNow(id))?.status_id).toBe(taskStates.failed.id);
  expect((await results(id)).map(({ message }) => message)).toEqual(["Internal error", "Internal error"]);
});

const usersOf = async (devices: readonly DeviceId[]) => {
  const { rows } = await sql<{ device_id: number; email: string }>`
    select device_id, email from device_user join users on users.id = user_id
    where device_id = any(${[...devices]}::int[]) order by 1, 2`.execute(db());
  return rows.map(({ device_id, email }) => [device_id, email.split("@")[0]]);
};
const userId = async (name: string) => {
  const { rows } = await sql<{ id: number }>`
    select id from users where email = ${`${name}@metrum.example`}`.execute(db());
  return rows[0]?.id ?? 0;
};

test("users are tied to all devices of a filter as a task, and untied, beside those tied already", async () => {
  const [first = 0, second = 0] = await someDevices(2);
  const both = [first, second] as DeviceId[];
  const operator = await userId("operator");
  const newcomer = await userId("norights");
  await change({ action: "tie", user_ids: [operator], filter: { ids: [first] } });

  const task = await change({ action: "tie", user_ids: [operator, newcomer], filter: {} });

  expect(await usersOf(both)).toEqual([
    ...[first, second].flatMap((id) => [
      [id, "norights"],
      [id, "operator"],
    ]),
  ]);
  expect((await taskNow(task.id))?.status_id).toBe(taskStates.done.id);
  expect(await logged("device.tieUser")).toHaveLength(3);
  await change({ action: "untie", user_ids: [newcomer], filter: {} });
  expect(await usersOf(both)).toEqual([
    [first, "operator"],
    [second, "operator"],
  ]);
  const foreign = await ask({ action: "tie", user_ids: [await userId("viewer")], filter: {} });
  const tied = await ask(
    { action: "untie", user_ids: [operator], filter: {} },
    await api.token("operator@metrum.example"),
  );
  expect([foreign.code, tied.code]).toEqual(["not_found", "right_missing"]);
});

test("devices of a filter join a poll group as a task and get its periods; those of another model are named", async () => {
  const ids = await someDevices(3);
  await sql`update device set model_id = 102 where id = ${ids[2]}`.execute(db());
  const { rows } = await sql<{ id: number }>`
    insert into poll_group (company_id, name, model_id, connection_type, device_interface_id, report_period_update,
      warning_report_period, created_at)
    values (${api.companies.first}, 'Feeders', 101, 'polled', 4, 900, 2700, 1793491200) returning id`.execute(
    db(),
  );
  const poll_group_id = rows[0]?.id ?? 0;

  const task = await change({ action: "group", poll_group_id, filter: {} });

  const members = await sql<{ id: number; period: number }>`
    select device_id as id, report_period_update as period from poll_group_device join device on id = device_id
    where group_id = ${poll_group_id} order by 1`.execute(db());
  expect(members.rows).toEqual(ids.slice(0, 2).map((id) => ({ id, period: 900 })));
  expect((await results(task.id)).map(({ message }) => message).toSorted()).toEqual([
    ...["", ""],
    "Of another model than the poll group",
  ]);
  expect(await logged("pollGroup.replace")).toHaveLength(2);
  const again = await change({ action: "group", poll_group_id, filter: { ids: [ids[0]] } });
  expect((await taskNow(again.id))?.status_id).toBe(taskStates.done.id);
});

test("an action without its argument, and a period without its action, are refused by the name of the argument", async () => {
  await someDevices(1);
  const answers = await Promise.all([
    ask({ action: "group", filter: {} }),
    ask({ action: "tie", filter: {} }),
    ask({ action: "switch_on", report_period_update: 900, filter: {} }),
    ask({ action: "group", poll_group_id: 2_000_000_000, filter: {} }),
  ]);

  expect(answers.map(({ code, attributes }) => [code, ...Object.keys(attributes)])).toEqual([
    ["wrong_input", "poll_group_id"],
    ["wrong_input", "user_ids"],
    ["wrong_input", "report_period_update"],
    ["not_found"],
  ]);
});

import { problems } from "@metrum/contract/core";
import { control, pollResults, taskLimits, tasks, taskStates } from "@metrum/contract/headend";
import { demoPlan, type Plan } from "@metrum/simulator";
import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { openTestApi, type TestApi } from "#testing/api";
import { registerPark } from "#testing/park";
import { prepareJobs } from "#headend/dialogue";
import type { Events } from "#core";
import { beginItem, endItem, expireItems, queuedItems } from "./taskStore.ts";

const demo = demoPlan(2);
const gateways = demo.gateways.filter(({ port }) => port !== undefined);
const plan: Plan = {
  gateways,
  baseStations: [],
  devices: demo.devices.filter(({ gateway }) => gateways.some(({ key }) => key === gateway)).slice(0, 6),
};

let api: TestApi;
let ids: number[];
let now = 1_800_000_000;
let engineer: string;
let operator: string;
let announced: Events["tasksChanged"][number][] = [];

beforeAll(async () => {
  api = await openTestApi({ clock: { now: () => now, nowMs: () => now * 1000 } });
  await prepareJobs(api.services);
  ids = await registerPark(api.services.database, api.companies.first, plan);
  engineer = await api.token("engineer@metrum.example");
  operator = await api.token("operator@metrum.example");
  api.services.bus.on("tasksChanged", (changes) => announced.push(...changes));
});
afterAll(() => api.close());
beforeEach(async () => {
  now += 900;
  await sql`delete from device_task_item`.execute(db());
  await sql`delete from device_task`.execute(db());
  announced = [];
});

const db = () => api.services.database.system;

async function create(title: string, deviceIds: readonly number[], token = engineer) {
  const { data, status, text } = await api.ask(tasks.create, {
    token,
    input: { body: { command_type: "poll", title, device_ids: [...deviceIds] } },
  });
  expect(status, text).toBe(200);
  now += 10;
  return data.device_task;
}

/** Simulates the work of the broker on a device of a task. */
async function work(taskId: number, deviceId: number, result: "ok" | "timeout"): Promise<void> {
  expect(await beginItem(db(), taskId, deviceId)).toBeDefined();
  const message = result === "ok" ? "" : "no answer";
  await endItem(db(), { taskId, deviceId, startedMs: now * 1000, now, result, message });
}

const list = async (body: object = {}, token = engineer) =>
  (await api.ask(tasks.list, { token, input: { body } })).data;

const titles = async (body: object = {}, token = engineer): Promise<string[]> =>
  (await list(body, token)).device_tasks.data.map(({ title }) => title);

const tie = (email: string, deviceId: number) =>
  sql`insert into device_user (device_id, user_id, company_id)
    select ${deviceId}, id, company_id from users where email = ${email}`.execute(db());

describe("the list of tasks", () => {
  test("TASK-003, TASK-011: newest first, with author, devices and outcome, by page", async () => {
    const [a = 0, b = 0, c = 0] = ids;
    const first = await create("Morning", [a, b, c]);
    await create("Evening", [a], operator);
    await work(first.id, a, "ok");
    await work(first.id, b, "timeout");

    const { device_tasks } = await list({ per_page: 10, page: 1, last_page: 1 });

    expect([device_tasks.total, device_tasks.last_page]).toEqual([2, 1]);
    const [evening, morning] = device_tasks.data;
    expect(evening?.user_name).not.toBe(morning?.user_name);
    expect(morning).toMatchObject({
      id: first.id,
      title: "Morning",
      command_type: "poll",
      status_id: taskStates.running.id,
      device_ids: [a, b, c].toSorted((x, y) => x - y),
      device_count: 3,
      done_count: 1,
      failed_count: 1,
      ended_at: null,
    });
  });

  test("TASK-003: filtered by status and device, searched by title, sorted; counts cover every status", async () => {
    const [a = 0, b = 0] = ids;
    const done = await create("North 100%", [a]);
    const failed = await create("South", [a, b]);
    await create("East", [b]);
    await work(done.id, a, "ok");
    await work(failed.id, a, "timeout");
    await work(failed.id, b, "timeout");

    expect(await titles({ status_id: taskStates.done.id })).toEqual(["North 100%"]);
    expect(await titles({ device_id: b })).toEqual(["East", "South"]);
    expect(await titles({ search_string: "100%" })).toEqual(["North 100%"]);
    expect(await titles({ sort: "asc" })).toEqual(["North 100%", "South", "East"]);
    expect(await titles({ sort_field: "status_id", sort: "desc" })).toEqual(["South", "North 100%", "East"]);
    expect(await titles({ start_date: failed.created_at, stop_date: failed.created_at })).toEqual(["South"]);
    expect(await titles({ is_open: true })).toEqual(["East"]);
    expect(await titles({ is_open: false })).toEqual(["South", "North 100%"]);
    expect((await list({ status_id: taskStates.done.id })).counts).toEqual([
      { status_id: taskStates.queued.id, count: 1 },
      { status_id: taskStates.done.id, count: 1 },
      { status_id: taskStates.failed.id, count: 1 },
    ]);
  });

  test("a user tied to a device sees its tasks and nothing of other devices", async () => {
    const [a = 0, b = 0, c = 0] = ids;
    await tie("operator@metrum.example", a);
    const tied = await api.token("operator@metrum.example");
    const both = await create("Both", [a, b]);
    const hidden = await create("Hidden", [c]);

    const { device_tasks, counts } = await list({}, tied);
    const foreign = await api.ask(tasks.results, {
      token: tied,
      input: { body: { device_task_id: hidden.id } },
    });
    const own = await api.ask(tasks.results, { token: tied, input: { body: { device_task_id: both.id } } });

    expect(
      device_tasks.data.map(({ title, device_ids, device_count }) => [title, device_ids, device_count]),
    ).toEqual([["Both", [a], 1]]);
    expect(counts).toEqual([{ status_id: taskStates.queued.id, count: 1 }]);
    expect(foreign.status).toBe(404);
    expect(own.data.results.data.map(({ device_id }) => device_id)).toEqual([a]);
    await sql`delete from device_user`.execute(db());
  });

  test("TASK-005: the statuses are those of the server, with titles, final or not", async () => {
    const { data } = await api.ask(tasks.statuses, { token: engineer, language: "mn" });

    expect(data.statuses.map(({ id, is_final }) => [id, is_final])).toEqual([
      [1, false],
      [2, false],
      [3, true],
      [4, true],
      [5, true],
      [6, true],
      [7, true],
      [8, true],
    ]);
    expect(data.statuses[0]).toMatchObject({ key: "queued", title: "Хүлээж байна", title_en: "Waiting" });
  });
});

describe("results of a task", () => {
  test("TASK-011: row by row with result code and time, by outcome", async () => {
    const [a = 0, b = 0, c = 0] = ids;
    const { id } = await create("Morning", [a, b, c]);
    await work(id, b, "timeout");
    await work(id, a, "ok");

    const all = await api.ask(tasks.results, { token: engineer, input: { body: { device_task_id: id } } });
    const failed = await api.ask(tasks.results, {
      token: engineer,
      input: { body: { device_task_id: id, outcome: "failed" } },
    });

    expect(all.data.counts).toEqual({ done: 1, failed: 1, waiting: 1, cancelled: 0 });
    expect(all.data.results.total).toBe(3);
    expect(failed.data.results.data).toHaveLength(1);
    expect(failed.data.results.data[0]).toMatchObject({
      device_id: b,
      status_id: taskStates.failed.id,
      result_code: pollResults.timeout.id,
      message: "no answer",
      ended_at: now,
    });
  });

  test("TASK-011: only the failed devices are polled again", async () => {
    const [a = 0, b = 0, c = 0] = ids;
    const { id } = await create("Morning", [a, b, c]);
    await work(id, a, "ok");
    await work(id, b, "timeout");
    await work(id, c, "timeout");
    const repeat = () => api.ask(tasks.repeat, { token: engineer, input: { body: { device_task_id: id } } });

    const { data } = await repeat();
    await sql`update device_task_item set status_id = ${taskStates.done.id} where task_id = ${id}`.execute(
      db(),
    );
    const none = await repeat();

    expect(data.device_task).toMatchObject({
      title: "Morning",
      command_type: "poll",
      device_ids: [b, c].toSorted((x, y) => x - y),
    });
    expect([none.status, none.code]).toEqual([409, "nothing_to_repeat"]);
  });

  test("a repeated command keeps its arguments", async () => {
    const [a = 0] = ids;
    const { data } = await api.ask(control.device, {
      token: engineer,
      input: { body: { id: a, management: { now_value: 1 } } },
    });
    await work(data.device_task.id, a, "timeout");

    const again = await api.ask(tasks.repeat, {
      token: engineer,
      input: { body: { device_task_id: data.device_task.id } },
    });

    expect(again.data.device_task).toMatchObject({ command_type: "control", management: { now_value: 1 } });
  });

  test("a device in the archive is left out of a repetition", async () => {
    const [a = 0, b = 0] = ids;
    const { id } = await create("Morning", [a, b]);
    await work(id, a, "timeout");
    await work(id, b, "timeout");
    await sql`update device set is_archived = true where id = ${a}`.execute(db());

    const { data } = await api.ask(tasks.repeat, {
      token: engineer,
      input: { body: { device_task_id: id } },
    });

    expect(data.device_task.device_ids).toEqual([b]);
    await sql`update device set is_archived = false`.execute(db());
  });
});

describe("cancelling", () => {
  const cancel = (body: object, token = engineer) =>
    api.ask(tasks.cancel, { token, language: "en", input: { body } });

  test("TASK-004: named tasks end as cancelled; a device being polled still answers", async () => {
    const [a = 0, b = 0, c = 0] = ids;
    const both = await create("Both", [a, b]);
    const other = await create("Other", [c]);
    await beginItem(db(), both.id, a);

    const answer = await cancel({ device_task_ids: [both.id, other.id] });

    expect([answer.status, answer.data.cancelled, answer.msg]).toEqual([
      200,
      2,
      "Requests to devices cancelled: 2",
    ]);
    expect(await queuedItems(db(), now + 3600, 10)).toEqual([{ taskId: both.id, deviceId: a }]);
    await endItem(db(), { taskId: both.id, deviceId: a, startedMs: null, now, result: "ok", message: "" });
    const { device_tasks } = await list();
    expect(device_tasks.data.map(({ status_id }) => status_id)).toEqual([
      taskStates.cancelled.id,
      taskStates.partly_done.id,
    ]);
    expect(await beginItem(db(), other.id, c)).toBeUndefined();
  });

  test("TASK-012: all tasks of a device", async () => {
    const [a = 0, b = 0] = ids;
    await create("One", [a]);
    const two = await create("Two", [a, b]);

    const { data } = await cancel({ delete_all: true, device_id: a });

    expect(data.cancelled).toBe(2);
    expect(await queuedItems(db(), now + 3600, 10)).toEqual([{ taskId: two.id, deviceId: b }]);
  });

  test("names the missing argument, needs update on 4, and is in the log of the company", async () => {
    const { id } = await create("One", ids.slice(0, 1));

    const empty = await cancel({ delete_all: true });
    const denied = await cancel({ device_task_ids: [id] }, await api.token("norights@metrum.example"));
    await cancel({ device_task_ids: [id] });

    expect([empty.status, Object.keys(empty.attributes), denied.status]).toEqual([
      422,
      ["device_task_ids"],
      403,
    ]);
    const { rows } = await sql<{ subject: string; after: object }>`
      select subject, after from audit where action = 'task.cancel' order by at desc, id desc limit 1`.execute(
      db(),
    );
    expect(rows).toEqual([{ subject: `task ${String(id)}`, after: { tasks: [id], cancelled: 1 } }]);
  });
});

test("TASK-009: every change of state is announced, of the device and of the whole task", async () => {
  const [a = 0, b = 0] = ids;
  const { id } = await create("Morning", [a, b]);
  await api.ask(tasks.cancel, { token: engineer, input: { body: { device_task_ids: [id], device_id: a } } });
  await api.ask(tasks.cancel, { token: engineer, input: { body: { device_task_ids: [id] } } });

  expect(announced).toEqual([
    { companyId: api.companies.first, taskId: id, statusId: taskStates.queued.id },
    { companyId: api.companies.first, taskId: id, deviceId: a, statusId: taskStates.cancelled.id },
    { companyId: api.companies.first, taskId: id, deviceId: b, statusId: taskStates.cancelled.id },
    {
      companyId: api.companies.first,
      taskId: id,
      statusId: taskStates.cancelled.id,
      userId: expect.any(Number) as number,
    },
  ]);
});

test("TASK-014: statistics count tasks and devices by status and results by code, and give the median duration", async () => {
  const [a = 0, b = 0, c = 0] = ids;
  const first = await create("Morning", [a, b]);
  const second = await create("Evening", [c]);
  await work(first.id, a, "ok");
  await work(first.id, b, "timeout");

  const { data } = await api.ask(tasks.statistics, { token: engineer, input: { body: {} } });
  const ofDevice = await api.ask(tasks.statistics, { token: engineer, input: { body: { device_id: c } } });
  const before = await api.ask(tasks.statistics, {
    token: engineer,
    input: { body: { start_date: 0, stop_date: second.created_at } },
  });

  expect(data).toMatchObject({
    tasks: [
      { status_id: taskStates.queued.id, count: 1 },
      { status_id: taskStates.partly_done.id, count: 1 },
    ],
    devices: [
      { status_id: taskStates.queued.id, count: 1 },
      { status_id: taskStates.done.id, count: 1 },
      { status_id: taskStates.failed.id, count: 1 },
    ],
    results: [
      { result_code: pollResults.ok.id, count: 1 },
      { result_code: pollResults.timeout.id, count: 1 },
    ],
    median_sec: 20,
  });
  expect(ofDevice.data.devices).toEqual([{ status_id: taskStates.queued.id, count: 1 }]);
  expect([before.status, Object.keys(before.attributes)]).toEqual([422, ["start_date"]]);
});

test("TASK-016: a device whose process was killed is planned again, and a finished one never", async () => {
  const [a = 0, b = 0] = ids;
  const { id } = await create("Morning", [a, b]);
  expect(await queuedItems(db(), now, 10)).toHaveLength(2);
  await beginItem(db(), id, a);
  await work(id, b, "ok");

  expect(await queuedItems(db(), now + 30, 10)).toEqual([]);
  expect(await queuedItems(db(), now + 61, 10)).toEqual([{ taskId: id, deviceId: a }]);

  await work(id, a, "ok");
  expect(await queuedItems(db(), now + 3600, 10)).toEqual([]);
  expect(await beginItem(db(), id, b)).toBeUndefined();
  // The dialogue that a second process may have begun meanwhile changes nothing.
  await endItem(db(), { taskId: id, deviceId: a, startedMs: null, now, result: "timeout", message: "" });
  expect((await list()).device_tasks.data[0]).toMatchObject({ status_id: taskStates.done.id, done_count: 2 });
});

test("a task not executed in time expires", async () => {
  const { expires_at } = await create("Morning", ids.slice(0, 2));

  await expireItems(db(), expires_at);

  expect((await list()).device_tasks.data[0]).toMatchObject({
    status_id: taskStates.expired.id,
    failed_count: 2,
    ended_at: expires_at,
  });
});

test("a company has a limited number of tasks within a day, other companies are not affected", async () => {
  await sql`insert into device_task (company_id, title, command_type, status_id, created_at, expires_at, ended_at, device_count)
    values (${api.companies.first}, 'Many', 'poll', 3, ${now}, ${now}, ${now}, ${taskLimits.devices - 1})`.execute(
    db(),
  );
  const ask = (device_ids: number[]) =>
    api.ask(tasks.create, {
      token: engineer,
      language: "en",
      input: { body: { command_type: "poll", title: "More", device_ids } },
    });

  const over = await ask(ids.slice(0, 2));
  const last = await ask(ids.slice(0, 1));
  await sql`update device_task set created_at = ${now + 7_200} where title = 'Many'`.execute(db());
  const ofClockAhead = await ask(ids.slice(0, 2));

  expect(ofClockAhead.status).toBe(200);
  expect([over.status, over.code]).toEqual([problems.task_limit.status, "task_limit"]);
  expect(over.msg).toContain("1000000");
  expect(last.status).toBe(200);
});

test("TASK-006: exchanges of a task over all its devices, and of one device of it", async () => {
  const [a = 0, b = 0, c = 0] = ids;
  const { id, created_at } = await create("Morning", [a, b]);
  for (const [device, task] of [
    [a, id],
    [b, id],
    [c, null],
    [a, null],
  ] as const)
    await sql`insert into poll_log (device_id, started_ms, kind, result, tries, duration_ms, line, device_task_id, steps)
      values (${device}, ${(created_at + 1) * 1000 + (task ?? 1)}, 2, 0, 1, 5, 'tcp:x', ${task}, '\\x005b5d')`.execute(
      db(),
    );
  const logs = (body: object) => api.ask(tasks.logs, { token: engineer, input: { body } });

  const all = await logs({ device_task_id: id, steps: true });
  const one = await logs({ device_task_id: id, device_id: b });
  const neither = await logs({});

  expect(all.data.logs.data.map(({ device_id }) => device_id).toSorted((x, y) => x - y)).toEqual(
    [a, b].toSorted((x, y) => x - y),
  );
  expect(one.data.logs.data.map(({ device_id }) => device_id)).toEqual([b]);
  expect([neither.status, Object.keys(neither.attributes)]).toEqual([422, ["device_id"]]);
});

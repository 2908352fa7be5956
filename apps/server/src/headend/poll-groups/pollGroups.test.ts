import { modelById } from "@metrum/catalogue";
import { problems } from "@metrum/contract/core";
import { pollGroupLimits, pollGroups, polling, tasks, taskStates } from "@metrum/contract/headend";
import { deviceRecord } from "@metrum/contract/metering";
import { demoPlan, type Plan } from "@metrum/simulator";
import { interfaces } from "@metrum/vocabulary";
import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { openTestApi, type TestApi } from "#testing/api";
import { registerPark } from "#testing/park";
import { prepareJobs } from "#headend/dialogue";
import { queuedItems } from "#headend/tasks";
import { noteRun } from "./store.ts";
import { planDue, planUnplanned } from "../polling/planner.ts";

const demo = demoPlan(5);
const gateways = demo.gateways.filter(({ port }) => port !== undefined);
const behind = demo.devices.filter(({ gateway }) => gateways.some(({ key }) => key === gateway));
const [{ modelId } = { modelId: 0 }] = behind;
const ofModel = behind.filter((device) => device.modelId === modelId).slice(0, 4);
const others = behind.filter((device) => device.modelId !== modelId).slice(0, 1);
const plan: Plan = { gateways, baseStations: [], devices: [...ofModel, ...others] };
const device_interface_id =
  interfaces.find(({ name }) => name === modelById(modelId)?.interfaces[0])?.id ?? 0;

let api: TestApi;
let ids: number[];
let other: number;
let now = 1_800_000_000;
let engineer: string;

beforeAll(async () => {
  api = await openTestApi({ clock: { now: () => now, nowMs: () => now * 1000 } });
  await prepareJobs(api.services);
  const all = await registerPark(api.services.database, api.companies.first, plan);
  await sql`update gateway set host = '127.0.0.1', port = 20000 + id`.execute(db());
  [ids, other] = [all.slice(0, ofModel.length), all[ofModel.length] ?? 0];
  engineer = await api.token("engineer@metrum.example");
});
afterAll(() => api.close());
beforeEach(async () => {
  await sql`delete from poll_group`.execute(db());
  await sql`select graphile_worker.complete_jobs(array(select id from graphile_worker.jobs))`.execute(db());
  await sql`update device_state set next_poll_at = null, poll_failures = 0, last_poll_result = null`.execute(
    db(),
  );
});

const db = () => api.services.database.system;

const aGroup = (more: object = {}) => ({
  name: "Feeders",
  model_id: modelId,
  device_interface_id,
  report_period_update: 3600,
  device_ids: ids.slice(0, 2),
  ...more,
});

const send = (body: ReturnType<typeof aGroup>) =>
  api.ask(pollGroups.create, { token: engineer, language: "en", input: { body } });

async function create(more: object = {}) {
  const { data, status, text } = await send(aGroup(more));
  expect(status, text).toBe(200);
  return data.poll_group;
}

const open = async (id: number) =>
  (await api.ask(pollGroups.get, { token: engineer, input: { params: { id: String(id) } } })).data.poll_group;

/** Plans what is due at a time; returns the devices that got a job. */
async function polledAt(at: number): Promise<number[]> {
  now = at;
  await planUnplanned(api.services);
  now += 40;
  await planDue(api.services);
  const { rows } = await sql<{ key: string }>`select key from graphile_worker.jobs`.execute(db());
  await sql`select graphile_worker.complete_jobs(array(select id from graphile_worker.jobs))`.execute(db());
  return rows.map(({ key }) => Number(key.replace("poll:", ""))).toSorted((a, b) => a - b);
}

const among = (devices: readonly number[], all: readonly number[]) =>
  devices.filter((id) => all.includes(id));

describe("a poll group", () => {
  test("POLL-003, POLL-011, POLL-017, POLL-021: is created with its schedule and devices, and opened", async () => {
    const made = await create({
      connection_type: "polled",
      poll_params: { time_shift: 30 },
      autoload_params: { is_active: true, depth_days: 40 },
      selected_data: { now_value: true, archives: [] },
      poll_one: false,
      warning_report_period: 7200,
      service_params: {},
      averaging_pp: 30,
    });

    expect(await open(made.id)).toEqual(made);
    expect(made).toMatchObject({
      name: "Feeders",
      model_id: modelId,
      model_title: modelById(modelId)?.title,
      connection_type: "polled",
      device_interface_id,
      poll_params: { time_shift: 30 },
      autoload_params: { is_active: true, depth_days: 40 },
      selected_data: { now_value: true, archives: [] },
      is_active: true,
      report_period_update: 3600,
      warning_report_period: 7200,
      device_ids: ids.slice(0, 2).toSorted((a, b) => a - b),
      device_count: 2,
      last_run_at: null,
      success_rate: null,
    });
  });

  test("POLL-009, POLL-010: only intervals and shifts of the specification are accepted", async () => {
    const wrong = await send(aGroup({ report_period_update: 61 }));
    const shifted = await send(aGroup({ poll_params: { time_shift: 45 } }));
    const longest = await send(aGroup({ report_period_update: 2_592_000, poll_params: { time_shift: 60 } }));

    const range = ["outside the allowed range"];
    expect([wrong.status, wrong.attributes]).toEqual([422, { report_period_update: range }]);
    expect([shifted.status, shifted.attributes]).toEqual([422, { "poll_params.time_shift": range }]);
    expect(longest.status).toBe(200);
  });

  test("reports invalid input: model, interface, archive, devices, a name in use, unsupported options", async () => {
    await create();
    const refusals = [
      aGroup({ name: "A", model_id: 301 }),
      aGroup({ name: "B", device_interface_id: 1 }),
      aGroup({ name: "C", selected_data: { archives: [9] } }),
      aGroup({ name: "D", device_ids: [other] }),
      aGroup({ name: "FEEDERS" }),
      aGroup({ name: "E", service_params: { a: 1 } }),
      aGroup({ name: "F", averaging_pp: 60 }),
    ];

    const answers = await Promise.all(refusals.map((body) => send(body)));

    expect(answers.map(({ status }) => status)).toEqual(refusals.map(() => 422));
    expect(answers.map(({ attributes }) => attributes)).toEqual([
      { model_id: ["devices of this model are not polled"] },
      { device_interface_id: ["not used by the model"] },
      { "selected_data.archives": ["not used by the model"] },
      { device_ids: ["not used by the model"] },
      { name: ["already in use"] },
      { service_params: ["not supported yet"] },
      { averaging_pp: ["not supported yet"] },
    ]);
  });

  test("a company has a limited number of groups", async () => {
    await sql`insert into poll_group (company_id, name, model_id, connection_type, device_interface_id,
        report_period_update, warning_report_period, created_at)
      select ${api.companies.first}, 'G' || n, ${modelId}, 'polled', 4, 60, 180, 0
      from generate_series(1, ${pollGroupLimits.groups}::int) n`.execute(db());

    const over = await send(aGroup());

    expect([over.status, over.code]).toEqual([problems.poll_group_limit.status, "poll_group_limit"]);
  });

  test("POLL-002: groups are listed by name and page, with the share of devices that answered", async () => {
    await create({ name: "b" });
    const a = await create({ name: "A", device_ids: ids.slice(2, 4) });
    const [first = 0] = a.device_ids;
    await sql`update device_state set last_poll_result = case device_id when ${first} then 0 else 1 end
      where device_id = any(${a.device_ids}::int[])`.execute(db());
    const list = (body: object) => api.ask(pollGroups.list, { token: engineer, input: { body } });

    const { data } = await list({ page: 1, perPage: 10 });
    const found = await list({ search_string: "B" });
    await api.ask(pollGroups.switch, { token: engineer, input: { body: { id: a.id, is_active: false } } });
    const off = await list({ is_active: false, model_id: [modelId] });
    const ofOther = await list({ model_id: [modelId + 1] });

    expect([data.total, data.per_page, data.data.map(({ name }) => name)]).toEqual([2, 10, ["A", "b"]]);
    expect(data.data[0]).toMatchObject({ answered_count: 1, success_rate: 0.5, device_count: 2 });
    expect(found.data.data.map(({ name }) => name)).toEqual(["b"]);
    expect([off.data.data.map(({ name }) => name), ofOther.data.total]).toEqual([["A"], 0]);
    expect(ofOther.data.counts).toEqual({ all: 2, active: 1 });
  });

  test("POLL-016: is updated; devices that are no longer named leave it; the change is in the log", async () => {
    const { id } = await create();
    const [, b = 0, c = 0] = ids;

    const { data } = await api.ask(pollGroups.update, {
      token: engineer,
      input: { body: { id, name: "Inputs", report_period_update: 900, device_ids: [b, c] } },
    });

    expect(data.poll_group).toMatchObject({
      name: "Inputs",
      report_period_update: 900,
      device_ids: [b, c].toSorted((x, y) => x - y),
    });
    const { rows } = await sql`select subject, before, after from audit where action = 'pollGroup.update'
      order by at desc, id desc limit 1`.execute(db());
    expect(rows).toEqual([
      {
        subject: `poll group ${String(id)}`,
        before: { name: "Feeders", report_period_update: 3600, devices: 2 },
        after: { name: "Inputs", report_period_update: 900, devices: 2 },
      },
    ]);
  });

  test("POLL-007: devices move to another group; a device belongs to one group only", async () => {
    const from = await create();
    const to = await create({ name: "Inputs", device_ids: [] });
    const [a = 0] = ids;
    const move = (device: number) =>
      api.ask(pollGroups.replace, {
        token: engineer,
        input: { body: { device_ids: [device], poll_group_id: to.id } },
      });

    const moved = await move(a);
    const wrong = await move(other);

    expect([moved.status, wrong.status]).toEqual([200, 422]);
    expect([(await open(from.id)).device_count, (await open(to.id)).device_ids]).toEqual([1, [a]]);
  });

  test("POLL-008: is deleted; its devices stay and are polled individually", async () => {
    const { id, device_ids } = await create({ is_active: false });
    const params = { id: String(id) };

    const answer = await api.ask(pollGroups.delete, { token: engineer, input: { params } });

    expect(answer.status).toBe(200);
    expect(among(await polledAt(now + 7200), device_ids)).toEqual(device_ids);
    expect((await api.ask(pollGroups.get, { token: engineer, input: { params } })).status).toBe(404);
  });

  test("a user tied to devices sees only groups without other devices", async () => {
    const [a = 0, b = 0] = ids;
    await sql`insert into device_user (device_id, user_id, company_id)
      select ${a}, id, company_id from users where email = 'operator@metrum.example'`.execute(db());
    const token = await api.token("operator@metrum.example");
    const own = await create({ name: "Own", device_ids: [a] });
    const hidden = await create({ name: "Hidden", device_ids: [b] });

    const { data } = await api.ask(pollGroups.list, { token, input: { body: {} } });
    const refused = await api.ask(pollGroups.switch, {
      token,
      input: { body: { id: hidden.id, is_active: false } },
    });

    expect(data.data.map(({ id }) => id)).toEqual([own.id]);
    expect(refused.status).toBe(404);
    await sql`delete from device_user`.execute(db());
  });
});

describe("the schedule of a group", () => {
  test("POLL-012: its devices are polled at its interval with its shift, spread over time", async () => {
    const { device_ids } = await create({ report_period_update: 7200, poll_params: { time_shift: 30 } });
    expect(among(await polledAt(now), device_ids)).toEqual(device_ids);

    const { rows } = await sql<{ at: number }>`select next_poll_at as at from device_state
      where device_id = any(${device_ids}::int[])`.execute(db());

    for (const { at } of rows) {
      expect(at).toBeGreaterThan(now);
      expect((at - 1800) % 7200).toBeLessThan(300);
    }
    expect(new Set(rows.map(({ at }) => at)).size).toBe(device_ids.length);
    const [device_id = 0] = device_ids;
    const shown = await api.ask(polling.run, { token: engineer, input: { body: { device_id } } });
    expect(shown.data.device_polling.interval).toBe(7200);
  });

  test("POLL-005: its devices are polled only while it is switched on", async () => {
    const { id, device_ids } = await create();
    const turn = (is_active: boolean) =>
      api.ask(pollGroups.switch, { token: engineer, input: { body: { id, is_active } } });

    await turn(false);
    expect(among(await polledAt(now + 3600), device_ids)).toEqual([]);
    await turn(true);
    expect(among(await polledAt(now + 3600), device_ids)).toEqual(device_ids);
    expect((await open(id)).last_run_at).toBe(now);

    // The clock was ahead when it ran last.
    const { system } = api.services.database;
    await sql`update poll_group set last_run_at = ${now + 7_200} where id = ${id}`.execute(system);
    await noteRun(system, [id], now);
    expect((await open(id)).last_run_at).toBe(now);
  });

  test("with poll_one each device is polled once", async () => {
    const { device_ids } = await create({ poll_one: true, report_period_update: 60 });

    expect(among(await polledAt(now + 600), device_ids)).toEqual(device_ids);
    expect(among(await polledAt(now + 600), device_ids)).toEqual([]);
  });

  test("its periods apply to its devices, also for reporting them silent", async () => {
    await sql`update device_state set last_data_at = 1000, silent_at = 90000`.execute(db());
    const { device_ids } = await create({ report_period_update: 900 });

    const { rows } = await sql<{ report: number; warning: number; silent: number }>`
      select distinct d.report_period_update as report, d.warning_report_period as warning, s.silent_at as silent
      from device d join device_state s on s.device_id = d.id where d.id = any(${device_ids}::int[])`.execute(
      db(),
    );

    expect(rows).toEqual([{ report: 900, warning: 2700, silent: 3700 }]);
  });

  test("the form of a device says at once what its group sets, and what else is wrong", async () => {
    const [id = 0] = ids;
    await create();
    const edit = (body: object) =>
      api.ask(deviceRecord.edit, { token: engineer, language: "en", input: { body: { id, ...body } } });

    const both = await edit({ report_period_update: 86_400, warning_report_period: 3600 });
    const same = await edit({ report_period_update: 3600, name: "Feeder 1" });

    expect(both.attributes).toEqual({
      report_period_update: ["the poll group of the device sets the period"],
      warning_report_period: ["not shorter than the report period"],
    });
    expect([same.status, same.data.metering_device.name]).toEqual([200, "Feeder 1"]);
  });

  test("UI-063 saving a form opened before a group set the periods is a conflict", async () => {
    const [id = 0] = ids;
    const versions = async () =>
      (await sql<{ version: number }>`select version from device where id = ${id}`.execute(db())).rows;
    const [before] = await versions();

    const group = await create({ report_period_update: 43_200 });
    const grouped = await versions();
    await api.ask(pollGroups.update, { token: engineer, input: { body: { id: group.id, name: "Renamed" } } });

    expect(grouped).toEqual([{ version: (before?.version ?? 0) + 1 }]);
    expect(await versions()).toEqual(grouped);
  });
});

test("TASK-002, TASK-003, TASK-013: all devices of a group are polled; its tasks are listed, counted and cancelled", async () => {
  const { id, device_ids } = await create();
  const empty = await create({ name: "Empty", device_ids: [] });
  const poll = (poll_group_id: number) =>
    api.ask(tasks.create, {
      token: engineer,
      language: "en",
      input: { body: { command_type: "poll", title: "Campaign", poll_group_id } },
    });

  const made = await poll(id);
  const none = await poll(empty.id);
  const body = { poll_group_id: id };
  const listed = await api.ask(tasks.list, { token: engineer, input: { body } });
  const statistics = await api.ask(tasks.statistics, { token: engineer, input: { body } });
  const cancelled = await api.ask(tasks.cancel, {
    token: engineer,
    input: { body: { ...body, delete_all: true } },
  });

  expect(made.data.device_task).toMatchObject({ poll_group_id: id, device_ids });
  expect([none.status, none.attributes]).toEqual([422, { poll_group_id: ["at least 1 items"] }]);
  expect(listed.data.device_tasks.data.map((task) => task.id)).toEqual([made.data.device_task.id]);
  expect(statistics.data.devices).toEqual([{ status_id: taskStates.queued.id, count: 2 }]);
  expect(cancelled.data.cancelled).toBe(2);
  expect(await queuedItems(db(), now + 3600, 10)).toEqual([]);
});

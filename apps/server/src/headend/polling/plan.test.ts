import { exchangeKinds, pollGroups, pollPlan, pollResults, tasks } from "@metrum/contract/headend";
import { demoPlan, type Plan } from "@metrum/simulator";
import { interfaces } from "@metrum/vocabulary";
import { modelById } from "@metrum/catalogue";
import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { prepareJobs } from "#headend/dialogue";
import { openTestApi, type TestApi } from "#testing/api";
import { registerPark } from "#testing/park";
import { planDue, planRequests, planUnplanned } from "./planner.ts";

const demo = demoPlan(5);
const gateways = demo.gateways.filter(({ port }) => port !== undefined);
const behind = demo.devices.filter(({ gateway }) => gateways.some(({ key }) => key === gateway));
const [{ modelId } = { modelId: 0 }] = behind;
const park: Plan = {
  gateways: gateways.slice(0, 1),
  baseStations: [],
  devices: behind.filter((each) => each.modelId === modelId).slice(0, 4),
};
const device_interface_id =
  interfaces.find(({ name }) => name === modelById(modelId)?.interfaces[0])?.id ?? 0;

let api: TestApi;
let ids: number[];
let now = 1_800_000_000;
let engineer: string;

beforeAll(async () => {
  api = await openTestApi({ clock: { now: () => now, nowMs: () => now * 1000 } });
  await prepareJobs(api.services);
  ids = await registerPark(api.services.database, api.companies.first, {
    ...park,
    devices: park.devices.map((each) => ({ ...each, gateway: park.gateways[0]?.key ?? "" })),
  });
  engineer = await api.token("engineer@metrum.example");
});
afterAll(() => api.close());
beforeEach(async () => {
  now += 120;
  await sql`delete from poll_group`.execute(db());
  await sql`delete from poll_log`.execute(db());
  await sql`delete from transparent_port`.execute(db());
  await sql`update device_task_item set status_id = 5, ended_at = ${now} where ended_at is null`.execute(
    db(),
  );
  await sql`select graphile_worker.complete_jobs(array(select id from graphile_worker.jobs))`.execute(db());
  await sql`update device_state set next_poll_at = null, poll_failures = 0`.execute(db());
  await sql`update gateway set host = '127.0.0.1', port = 20001, model_id = ${park.gateways[0]?.modelId}`.execute(
    db(),
  );
});

const db = () => api.services.database.system;

/** A group of devices polled before; each exchange took this many seconds. */
async function aGroup(seconds: readonly number[], more: object = {}) {
  const name = `Group ${String(now)}`;
  const body = { name, model_id: modelId, device_interface_id, report_period_update: 3600, device_ids: ids };
  const { data, status, text } = await api.ask(pollGroups.create, {
    token: engineer,
    input: { body: { ...body, ...more } },
  });
  expect(status, text).toBe(200);
  for (const [at, sec] of seconds.entries()) await log(ids[at] ?? 0, sec);
  return data.poll_group.id;
}

const log = (id: number, sec: number, more: { readonly tries?: number; readonly kind?: number } = {}) =>
  sql`insert into poll_log (device_id, started_ms, kind, result, tries, duration_ms, line, steps)
    values (${id}, ${(now - 3600) * 1000 + Math.round(sec * 7)}, ${more.kind ?? exchangeKinds.poll.id},
      ${pollResults.ok.id}, ${more.tries ?? 1}, ${sec * 1000}, '', '')`.execute(db());

const planOf = async (body: object, token = engineer) => {
  const { data, status, text } = await api.ask(pollPlan.get, { token, input: { body } });
  expect(status, text).toBe(200);
  return data.plan;
};

/** Gives all devices their slot and turns it into a job. */
async function queueAll(): Promise<void> {
  await planUnplanned(api.services);
  now += 40;
  await planDue(api.services);
}

test("POLL-022: the devices in the queue of a line are counted, and the end comes from their measured times", async () => {
  const group = await aGroup([10, 20, 30, 40]);
  await queueAll();

  const plan = await planOf({ poll_group_id: group });

  expect(plan).toMatchObject({ at: now, device_count: 4, left_count: 4, ends_at: now + 100 });
  expect(plan.states).toEqual({ running: 0, waiting: 1, planned: 0, stopped: 0 });
  expect(plan.lines.data[0]).toMatchObject({
    line: "tcp:127.0.0.1:20001",
    gateway: { name: park.gateways[0]?.name },
    state: "waiting",
    reason: "queue",
    waiting_count: 4,
    starts_at: now,
    ends_at: now + 100,
  });
});

test("POLL-022: a device never polled is assumed to take as long as the others on its line; without others the end is unknown", async () => {
  const group = await aGroup([]);
  await queueAll();

  const unknown = await planOf({ poll_group_id: group });
  await log(ids[0] ?? 0, 10);
  const known = await planOf({ poll_group_id: group });

  expect([unknown.ends_at, unknown.unknown_count, unknown.lines.data[0]?.reason]).toEqual([
    null,
    4,
    "not_measured",
  ]);
  expect([known.ends_at, known.unknown_count]).toEqual([now + 40, 0]);
});

test("POLL-022: an exchange without an attempt had no line and is not used to measure time", async () => {
  const group = await aGroup([10, 10, 10, 10]);
  for (const id of ids) await log(id, 0, { tries: 0 });
  await queueAll();

  expect((await planOf({ poll_group_id: group })).ends_at).toBe(now + 40);
});

test("POLL-022: the running job is shown with its start time", async () => {
  const group = await aGroup([10, 10, 10, 10]);
  await queueAll();
  const [first = 0] = ids;
  await sql`update graphile_worker._private_jobs set locked_at = to_timestamp(${now - 3}), locked_by = 'w'
    where key = ${`poll:${String(first)}`}`.execute(db());

  const [line] = (await planOf({ poll_group_id: group })).lines.data;

  expect(line).toMatchObject({
    state: "running",
    reason: null,
    running: { device_id: first, started_at: now - 3 },
    left_count: 3,
    ends_at: now + 7 + 30,
  });
});

test("POLL-022: devices that are not yet due wait for their slots; a switched-off group is not polled", async () => {
  const group = await aGroup([10, 10, 10, 10]);
  await queueAll();
  await sql`select graphile_worker.complete_jobs(array(select id from graphile_worker.jobs))`.execute(db());

  const later = await planOf({ poll_group_id: group });
  await api.ask(pollGroups.switch, { token: engineer, input: { body: { id: group, is_active: false } } });
  const off = await planOf({ poll_group_id: group });

  expect(later.lines.data[0]).toMatchObject({ state: "planned", reason: "schedule", waiting_count: 0 });
  expect(later.lines.data[0]?.starts_at).toBeGreaterThan(now);
  expect(off).toMatchObject({ ends_at: null, left_count: 0, off_count: 4 });
  expect(off.lines.data[0]).toMatchObject({ state: "stopped", reason: "switched_off" });
});

test("POLL-022: devices behind a dead gateway are not polled; it has no end and is counted separately", async () => {
  const group = await aGroup([10, 10, 10, 10]);
  await queueAll();
  await sql`update gateway set host = null, port = null, model_id = 602`.execute(db());

  const plan = await planOf({ poll_group_id: group });

  expect(plan).toMatchObject({ ends_at: null, left_count: 4, stopped_count: 4, unknown_count: 0 });
  expect(plan.lines.data[0]).toMatchObject({ state: "stopped", reason: "not_connected" });
});

test("POLL-022: a line in use by a transparent port waits until the port closes", async () => {
  const group = await aGroup([10, 10, 10, 10]);
  await queueAll();
  await sql`insert into transparent_port (company_id, device_id, user_id, session_id, address, line, process_id, state,
      asked_at, ends_at)
    select ${api.companies.first}, ${ids[0]}, id, 1, '', 'tcp:127.0.0.1:20001', 1, 'open', ${now}, ${now + 600}
    from users where email = 'engineer@metrum.example'`.execute(db());

  const [line] = (await planOf({ poll_group_id: group })).lines.data;

  expect(line).toMatchObject({ state: "waiting", reason: "lent", starts_at: now + 600, ends_at: now + 640 });
});

test("POLL-022: the end of a campaign is known before it starts: requests precede scheduled polls, and read less", async () => {
  await aGroup([10, 10, 10, 10], { is_active: false });
  const [a = 0, b = 0, c = 0] = ids;
  for (const id of ids) await log(id, 4, { kind: exchangeKinds.request.id });
  const body = { command_type: "poll" as const, title: "First", device_ids: [c] };

  const campaign = await planOf({ device_ids: [a, b], is_campaign: true });
  await api.ask(tasks.create, { token: engineer, input: { body } });
  await planRequests(api.services);
  const behindAnother = await planOf({ device_ids: [a, b], is_campaign: true });
  const present = await planOf({ device_ids: [a, b, c] });

  expect(campaign).toMatchObject({ left_count: 2, off_count: 0, ends_at: now + 8 });
  expect(behindAnother.lines.data[0]).toMatchObject({ ahead_count: 1, ends_at: now + 12 });
  expect(present.lines.data[0]).toMatchObject({ left_count: 1, waiting_count: 1, off_count: 2 });
});

test("POLL-022: a user tied to devices sees their plan, not the names of others on the line", async () => {
  const [first = 0, second = 0] = ids;
  await aGroup([10, 10, 10, 10]);
  await queueAll();
  await sql`insert into device_user (device_id, user_id, company_id)
    select ${first}, id, company_id from users where email = 'operator@metrum.example'`.execute(db());
  await sql`update graphile_worker._private_jobs set locked_at = to_timestamp(${now}), locked_by = 'w'
    where key = ${`poll:${String(second)}`}`.execute(db());
  const token = await api.token("operator@metrum.example");

  const plan = await planOf({}, token);
  const foreign = await api.ask(pollPlan.get, { token, input: { body: { device_ids: [second] } } });

  expect(plan).toMatchObject({ device_count: 1, left_count: 1 });
  expect(plan.lines.data[0]).toMatchObject({ running: null, state: "waiting", reason: "queue" });
  expect(plan.lines.data[0]?.starts_at).toBeGreaterThanOrEqual(now + 10);
  expect(foreign.status).toBe(404);
  await sql`delete from device_user`.execute(db());
});

import { pollResults, tasks, taskStates } from "@metrum/contract/headend";
import { startPark, type Faults, type Park, type Plan } from "@metrum/simulator";
import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import type { Events } from "#core";
import { prepareJobs, type Dialogue } from "#headend/dialogue";
import { openTestApi, type TestApi } from "#testing/api";
import { movableClock } from "#testing/clock";
import { openDialogue } from "#testing/dialogue";
import { registerPark } from "#testing/park";
import { planRequests } from "./planner.ts";
import { pollDevice } from "./poll.ts";
import { pollJobs } from "./pollQueue.ts";

const [half, day] = [1800, 86_400];
const offsetSec = 8 * 3600;
const mercury = 120;

/** A meter with a power profile behind a modem, in Ulaanbaatar. */
const plan: Plan = {
  baseStations: [],
  gateways: [{ key: "g", modelId: 601, name: "GW-1", place: "", deviceID: "350000000000025" }],
  devices: [
    {
      modelId: mercury,
      gateway: "g",
      insideAddr: "23",
      deviceID: "40000023",
      name: "School 4",
      place: "",
      intervalSec: 3600,
      seed: 7,
      load: "school",
      meanPerHour: 12,
      start: 5000,
      impulseWeight: 1,
      startingValue: 0,
      hasLeaks: false,
      clockDriftPerDay: 0,
    },
  ],
};

const clock = movableClock();
const faults: Partial<Faults> = { delayMs: [0, 1] };
let api: TestApi;
let dialogue: Dialogue;
let park: Park;
let id = 0;
let token: string;
let announced: Events["tasksChanged"][number][] = [];

beforeAll(async () => {
  // Ten minutes into a half-hour: the meter closes no interval during a test.
  clock.ahead = half + 600 - (Math.floor(Date.now() / 1000) % half);
  api = await openTestApi({
    env: { METRUM_MODEM_PORTS: "0:imei", METRUM_MQTT_PORT: "0", METRUM_DEVICE_HOST: "127.0.0.1" },
    clock,
  });
  await prepareJobs(api.services);
  dialogue = await openDialogue(api.services);
  [id = 0] = await registerPark(api.services.database, api.companies.first, plan);
  token = await api.token("engineer@metrum.example");
  park = await startPark(plan, {
    host: "127.0.0.1",
    ports: { modem: dialogue.ports.modemPorts[0] ?? 0 },
    faults,
    utcOffsetSec: offsetSec,
    now: () => clock.nowMs() / 1000,
  });
  const { rows } = await sql<{
    id: number;
  }>`select id from gateway where device_id = '350000000000025'`.execute(db());
  const line = `modem:${String(rows[0]?.id)}`;
  await vi.waitFor(() => expect(dialogue.ports.lines.held(line)?.isOpen).toBe(true), 10_000);
  api.services.bus.on("tasksChanged", (changes) => announced.push(...changes));
  await pollDevice(api.services, dialogue.ports.lines, { deviceId: id });
});
afterAll(async () => {
  await dialogue.stop();
  await park.stop();
  await api.close();
});
beforeEach(() => {
  announced = [];
  // Other seconds of receipt; a longer step would end the call of the modem.
  clock.ahead += 5;
});

const db = () => api.services.database.system;

const profile = async () => {
  const { rows } = await sql<{ ts: number; received: number }>`
    select ts, ts + received_at_offset as received from message
    where device_id = ${id} and msg_type = 5 and source = 1 order by ts`.execute(db());
  return rows;
};
/** The platform loses rows, of the profile and of its days. */
async function lose(from: number, to: number): Promise<void> {
  await sql`delete from message where device_id = ${id} and msg_type = 5 and ts >= ${from} and ts < ${to}`.execute(
    db(),
  );
}

async function ask(from: number, to: number) {
  const { data, text, status } = await api.ask(tasks.askHoles, {
    token,
    input: { body: { device_ids: [id], msg_types: [5], start_date: from, stop_date: to } },
  });
  expect(status, text).toBe(200);
  return data.device_task;
}
const taskNow = async (taskId: number) =>
  (await api.ask(tasks.list, { token, input: { body: { ids: [taskId] } } })).data.device_tasks.data[0];

const work = (taskId: number) =>
  pollDevice(api.services, dialogue.ports.lines, { deviceId: id, taskId, asksHoles: true });

const requests = async (): Promise<{ result: number; readings: number }[]> =>
  (
    await sql<{ result: number; readings: number }>`
      select result, readings from poll_log where device_id = ${id} and kind = 2 order by started_ms`.execute(
      db(),
    )
  ).rows;

test("TRUST-013 exactly the missing rows are read from the meter and stored; the task counts them", async () => {
  const before = await profile();
  const yesterday = Math.floor((clock.now() + offsetSec) / day) * day - day - offsetSec;
  const [first, second] = [yesterday + 10 * half, yesterday + 30 * half];
  await lose(first, first + 3 * half);
  await lose(second, second + 1);
  const kept = new Map((await profile()).map(({ ts, received }) => [ts, received]));

  const task = await ask(first, second);
  await work(task?.id ?? 0);

  const after = await profile();
  expect(after.map(({ ts }) => ts)).toEqual(before.map(({ ts }) => ts));
  const read = after.filter(({ ts, received }) => kept.get(ts) !== received).map(({ ts }) => ts);
  expect(read).toEqual([first, first + half, first + 2 * half, second]);
  expect(await taskNow(task?.id ?? 0)).toMatchObject({
    status_id: taskStates.done.id,
    holes: { asked: 4, filled: 4 },
  });
  expect(announced.map(({ statusId, deviceId }) => [statusId, deviceId])).toContainEqual([
    taskStates.running.id,
    id,
  ]);
});

test("TRUST-013 a long selection is read in sessions of a few pages, each slot requested once", async () => {
  const task = await ask(clock.now() - 12 * day, clock.now());
  const taskId = task?.id ?? 0;
  const sessions: number[] = [];
  while (sessions.length < 5 && (await taskNow(taskId))?.ended_at === null) {
    const before = (await profile()).length;
    await work(taskId);
    sessions.push((await profile()).length - before);
  }

  expect(await taskNow(taskId)).toMatchObject({
    status_id: taskStates.done.id,
    holes: { asked: task?.holes?.asked, filled: task?.holes?.asked },
  });
  expect(sessions.length).toBeGreaterThan(1);
  expect(Math.max(...sessions)).toBeLessThanOrEqual(4 * 97);
});

test("TRUST-013 scheduled polls alternate with requests for missing rows; a request of a waiting user precedes both", () => {
  const route = { line: "modem:1", task: "line" };
  const priorityOf = (job: { readonly taskId?: number; readonly asksHoles?: boolean }) =>
    pollJobs(route, { deviceId: id, ...job }, 0)[0]?.priority ?? NaN;

  expect(priorityOf({ taskId: 1, asksHoles: true })).toBe(priorityOf({}));
  expect(priorityOf({ taskId: 1 })).toBeLessThan(priorityOf({}));
});

test("TRUST-013 a meter that does not answer fails the request; rows read before are kept, the rest can be requested again", async () => {
  const rows = await profile();
  const lost = rows[10]?.ts ?? 0;
  await lose(lost, lost + 1);
  const task = await ask(lost, lost);
  faults.loss = 1;

  await work(task?.id ?? 0);

  faults.loss = 0;
  expect(await taskNow(task?.id ?? 0)).toMatchObject({
    status_id: taskStates.failed.id,
    holes: { filled: 0 },
  });
  expect((await requests()).at(-1)).toMatchObject({ result: pollResults.timeout.id, readings: 0 });
  const again = await api.ask(tasks.repeat, { token, input: { body: { device_task_id: task?.id ?? 0 } } });
  await work(again.data.device_task.id);
  expect(await taskNow(again.data.device_task.id)).toMatchObject({ holes: { asked: 1, filled: 1 } });
});

test("TRUST-013 a device that was switched off after the request is not polled", async () => {
  const lost = (await profile())[12]?.ts ?? 0;
  await lose(lost, lost + 1);
  const task = await ask(lost, lost);
  await sql`update device set is_active = false where id = ${id}`.execute(db());
  const before = (await requests()).length;

  await planRequests(api.services);

  await sql`update device set is_active = true where id = ${id}`.execute(db());
  expect(await taskNow(task?.id ?? 0)).toMatchObject({ status_id: taskStates.failed.id });
  expect((await requests()).length).toBe(before);
});

test("TRUST-013 a cancelled request reads no further page", async () => {
  await lose(clock.now() - 12 * day, clock.now() - 3 * day);
  const task = await ask(clock.now() - 12 * day, clock.now());
  await work(task?.id ?? 0);
  const read = (await profile()).length;
  await sql`update device_task_item set status_id = ${taskStates.queued.id} where task_id = ${task?.id ?? 0}`.execute(
    db(),
  );

  await api.ask(tasks.cancel, { token, input: { body: { device_task_ids: [task?.id ?? 0] } } });
  await work(task?.id ?? 0);

  expect((await profile()).length).toBe(read);
  expect(await taskNow(task?.id ?? 0)).toMatchObject({ status_id: taskStates.cancelled.id });
});

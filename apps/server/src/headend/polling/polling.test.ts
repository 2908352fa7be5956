import { control, pollResults, polling as pollingCalls, tasks, taskStates } from "@metrum/contract/headend";
import { demoPlan, startPark, type Faults, type Park, type Plan } from "@metrum/simulator";
import { sql } from "kysely";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { issueMqttCredentials } from "#headend/channels";
import { unpackSteps } from "#headend/exchanges";
import type { TestApi } from "#testing/api";
import { openTestDialogue } from "#testing/dialogue";
import { placeConverters, registerPark } from "#testing/park";
import { until } from "#testing/until";
import type { Dialogue } from "#headend/dialogue";
import { startPlanner } from "./planner.ts";
import { pollDevice } from "./poll.ts";
import { termOf } from "@metrum/vocabulary";

/** A modem with meters and a sensor, a Modbus TCP converter, an M-Bus converter and a radio counter. */
const demo = demoPlan(5);
const wanted = [101, 103, 104, 201, 302, 301, 501];
const devices = wanted.map((modelId) => {
  const found = demo.devices.find((each) => each.modelId === modelId);
  if (!found) throw new Error(`no ${String(modelId)}`);
  return found;
});
const plan: Plan = {
  baseStations: [],
  devices,
  gateways: demo.gateways
    .filter(({ key }) => devices.some(({ gateway }) => gateway === key))
    .map((gateway) => (gateway.port === undefined ? gateway : { ...gateway, port: 0 })),
};

let api: TestApi;
let dialogue: Dialogue;
let park: Park;
let stopPlanner: () => Promise<void>;
let ids: number[];
let token: string;
const faults: Partial<Faults> = { delayMs: [1, 5] };

const companyOf = () => api.companies.first;

beforeAll(async () => {
  ({ api, dialogue } = await openTestDialogue());
  const { services } = api;
  ids = await registerPark(services.database, companyOf(), plan);
  const credentials = await issueMqttCredentials(services.database, companyOf());
  park = await startPark(plan, {
    host: "127.0.0.1",
    ports: { modem: dialogue.ports.modemPorts[0] ?? 0 },
    mqtt: { url: `mqtt://127.0.0.1:${String(dialogue.ports.mqttPort)}`, ...credentials },
    faults,
    // The company is in Ulaanbaatar.
    utcOffsetSec: 8 * 3600,
  });
  await placeConverters(services.database, plan, park);
  token = await api.token("engineer@metrum.example");
  stopPlanner = startPlanner(services);
});
afterAll(async () => {
  await stopPlanner();
  await dialogue.stop();
  await park.stop();
  await api.close();
});

const idOf = (modelId: number): number => ids[wanted.indexOf(modelId)] ?? 0;

async function logged(deviceId: number, result = 0) {
  const { data } = await api.ask(tasks.logs, {
    token,
    input: { body: { device_id: deviceId, result_code: result } },
  });
  return data.logs.data[0];
}

test.each([101, 103, 104, 201, 302, 301, 501])(
  "DEV-035: model %i is read from its simulator over real sockets, and its readings are stored",
  async (modelId) => {
    const row = await until(() => logged(idOf(modelId)));

    expect(row.readings).toBeGreaterThan(0);
    const { rows } = await sql<{ source: number; received_at: number }>`
      select source, received_at from device_latest where device_id = ${idOf(modelId)}`.execute(
      api.services.database.system,
    );
    expect(rows.length).toBeGreaterThan(0);
    expect(rows.every(({ source }) => source === (modelId === 301 ? 2 : 1))).toBe(true);
    expect(rows.some(({ received_at }) => received_at === row.received_at)).toBe(true);
  },
);

test("TRUST-031 the serial number that a meter names in a poll is kept, and it is the registered one", async () => {
  const { system } = api.services.database;
  const named = await until(async () => {
    const { rows } = await sql<{ serial: string; registered: string[] }>`
      select s.serial, array[d."deviceID", d.inside_addr] as registered from device_serial s
      join device d on d.id = s.device_id where s.serial <> ''`.execute(system);
    return rows.length > 0 ? rows : undefined;
  });

  for (const { serial, registered } of named)
    expect(registered.some((each) => each.endsWith(serial.replace(/^0+/, "")))).toBe(true);
});

test("TASK-006, TASK-008, TASK-017: an exchange opens as sent and received bytes with the meaning of each", async () => {
  const row = await until(() => logged(idOf(101)));

  const { data } = await api.ask(tasks.logs, {
    token,
    input: { body: { device_id: idOf(101), id: row.id } },
  });

  const [step] = data.logs.data[0]?.steps ?? [];
  expect(data.logs.total).toBe(1);
  expect(step?.sent).toMatch(/^0[0-9a-f]04/);
  expect(step?.sent_spans.length).toBeGreaterThan(3);
  expect(step?.received_spans.some(({ name }) => termOf(name).field?.startsWith("voltage"))).toBe(true);
  expect(step?.error).toBeNull();
});

test("TASK-007, TASK-015: causes and outcomes of exchanges are directories", async () => {
  const types = await api.ask(tasks.logTypes, { token });
  const codes = await api.ask(tasks.logResultCodes, { token });

  expect(types.data.types.map(({ id }) => id)).toEqual(expect.arrayContaining([1, 2, 3]));
  expect(codes.data.result_codes).toContainEqual({ id: 1, title: "Нет ответа", title_en: "No answer" });
});

test("a user requests current values and gets the outcome", async () => {
  // On a busy machine the call answers before the device; the same request again is the same task.
  const answer = await until(async () => {
    const asked = await api.ask(control.device, {
      token,
      language: "en",
      input: { body: { id: idOf(103), management: { now_value: 1 } } },
    });
    return asked.data.control_set.result === "The device has answered" ? asked : undefined;
  });

  expect(answer.status).toBe(200);
  expect(answer.data.device_task.status_id).toBe(taskStates.done.id);
  const { data } = await api.ask(tasks.logs, {
    token,
    input: { body: { device_id: idOf(103), type_id: 2, device_task_id: answer.data.device_task.id } },
  });
  expect(data.logs.total).toBe(1);
});

test("CTRL-076 msg and control_set of a command are both in data and at the top level", async () => {
  const { text } = await api.ask(control.device, {
    token,
    language: "en",
    input: { body: { id: idOf(101), management: { now_value: 1 } } },
  });

  const body = JSON.parse(text) as Record<string, unknown> & { data: Record<string, unknown> };
  expect(Object.keys(body).toSorted()).toEqual(["control_set", "data", "msg"]);
  expect(body["msg"]).toMatch(/^The (device has answered|request is queued)/);
  expect(body["control_set"]).toEqual({ result: body["msg"] });
  expect([body.data["msg"], body.data["control_set"]]).toEqual([body["msg"], body["control_set"]]);
});

test("a concurrent request of another user has its own task and audit row", async () => {
  const body = { id: idOf(104), management: { read_info: true } };

  const [first, second] = await Promise.all(
    [token, await api.token("operator@metrum.example")].map((each) =>
      api.ask(control.device, { token: each, input: { body } }),
    ),
  );

  const taskIds = [first, second].map((answer) => answer?.data.device_task.id ?? 0);
  expect(new Set(taskIds).size).toBe(2);
  const { rows } = await sql<{ users: number; tasks: number }>`
    select count(distinct user_id)::int as users, count(*)::int as tasks from device_task
    where id = any(${taskIds}::int[])`.execute(api.services.database.system);
  expect(rows).toEqual([{ users: 2, tasks: 2 }]);
});

test("ACL-044: polls, commands and switching of devices are in the audit log with the user, once per task", async () => {
  const written = async () => {
    const { rows } = await sql<{ action: string; subject: string; user_id: number | null; after: object }>`
      select action, subject, user_id, after from audit where action like 'device.%' order by id`.execute(
      api.services.database.system,
    );
    return rows;
  };
  const before = (await written()).length;
  const id = idOf(101);

  const { data } = await api.ask(control.device, {
    token,
    input: { body: { id, management: { read_info: true } } },
  });
  await api.ask(control.device, { token, input: { body: { id, management: { read_info: true } } } });
  for (const is_active of [false, true])
    await api.ask(pollingCalls.switch, { token, input: { body: { device_id: id, is_active } } });

  const rows = (await written()).slice(before);
  expect(rows.map(({ action, subject }) => [action, subject])).toEqual([
    ["device.control", `device ${String(id)}`],
    ["device.switchPolling", `device ${String(id)}`],
    ["device.switchPolling", `device ${String(id)}`],
  ]);
  expect(rows[0]?.after).toMatchObject({ task: data.device_task.id, management: { read_info: true } });
  expect(rows.every(({ user_id }) => user_id !== null)).toBe(true);
});

test("a second click returns the task of the first and reads the device once", async () => {
  const body = { id: idOf(104), management: { tariff: 1 } };

  const answers = await Promise.all(
    [1, 2, 3, 4].map(() => api.ask(control.device, { token, input: { body } })),
  );

  const taskIds = new Set(answers.map(({ data }) => data.device_task.id));
  expect(taskIds.size).toBe(1);
  const [taskId = 0] = taskIds;
  const { data } = await api.ask(tasks.logs, {
    token,
    input: { body: { device_id: body.id, device_task_id: taskId } },
  });
  expect(data.logs.total).toBe(1);
});

test("commands that the driver reads together are one dialogue", async () => {
  const id = idOf(104);
  const ask = async (management: Record<string, unknown>) => {
    const { data } = await api.ask(control.device, { token, input: { body: { id, management } } });
    return loggedOf(id, data.device_task.id);
  };

  const one = await ask({ now_value: 1 });
  const all = await ask({ now_value: 1, tariff: 1, read_info: true });

  expect(all).toMatchObject({ result_code: 0, readings: one.readings });
  expect(all.steps?.length).toBe(one.steps?.length);
});

test("a stored task with a command that changes the device sends nothing and fails", async () => {
  const id = idOf(104);
  const body = { id, management: { now_value: 1, tariff: 1 } };
  const { data } = await api.ask(control.device, { token, input: { body } });
  const { id: taskId } = data.device_task;
  await loggedOf(id, taskId);

  // As a release with this command would have stored it.
  await sql`with task as (
      update device_task set management = '{"now_value": 1, "power": 0}', status_id = ${taskStates.queued.id} where id = ${taskId})
    update device_task_item set status_id = ${taskStates.queued.id}, planned_at = null where task_id = ${taskId}`.execute(
    api.services.database.system,
  );

  const { id: result_code } = pollResults.unsupported;
  const row = await until(async () => {
    const logs = await api.ask(tasks.logs, {
      token,
      input: { body: { device_id: id, device_task_id: taskId, result_code, steps: true } },
    });
    return logs.data.logs.data[0];
  });
  expect(row).toMatchObject({ readings: 0, steps: [] });
  const { rows } = await sql<{ status_id: number; message: string }>`
    select status_id, message from device_task_item where task_id = ${taskId}`.execute(
    api.services.database.system,
  );
  expect(rows).toEqual([{ status_id: taskStates.failed.id, message: "the driver has no command power" }]);
});

async function loggedOf(deviceId: number, taskId: number) {
  return until(async () => {
    const { data } = await api.ask(tasks.logs, {
      token,
      input: { body: { device_id: deviceId, device_task_id: taskId, steps: true } },
    });
    return data.logs.data[0];
  });
}

test("a device that does not answer is logged as silent, with every try", async () => {
  faults.loss = 1;
  const answer = await api.ask(control.device, {
    token,
    language: "en",
    input: { body: { id: idOf(302), management: { now_value: 1 } } },
  });
  const row = await loggedOf(idOf(302), answer.data.device_task.id);
  faults.loss = 0;

  expect(answer.data.control_set.result).toMatch(/queued/);
  // It is being polled when the time limit of the call expires.
  expect(answer.data.device_task.status_id).toBe(taskStates.running.id);
  expect(row.result_code).toBe(pollResults.timeout.id);
  expect(row.steps?.length).toBeGreaterThan(1);
  expect(row.steps?.every(({ error }) => error?.kind === "timeout")).toBe(true);
});

const endedAs = (taskId: number) =>
  until(async () => {
    const { rows } = await sql<{ status_id: number }>`
      select status_id from device_task where id = ${taskId} and ended_at is not null`.execute(
      api.services.database.system,
    );
    return rows[0]?.status_id;
  });

test("a modem that is not connected is reported at once, and a task that reads one of two devices is partly done", async () => {
  const [lone] = plan.devices;
  if (!lone) throw new Error("empty plan");
  const [absent = 0] = await registerPark(api.services.database, companyOf(), {
    baseStations: [],
    gateways: [{ key: "absent", modelId: 601, name: "GW-9", place: "", deviceID: "999999999999999" }],
    devices: [{ ...lone, gateway: "absent", deviceID: "absent" }],
  });

  const answer = await api.ask(control.device, {
    token,
    language: "en",
    input: { body: { id: absent, management: { now_value: 1 } } },
  });

  expect(answer.data.control_set).toEqual({ error: "The device was not read: The line is down" });
  expect(answer.data.device_task.status_id).toBe(taskStates.failed.id);
  // One of two devices answers: the task as a whole is neither done nor failed.
  const { data } = await api.ask(tasks.create, {
    token,
    input: { body: { command_type: "poll", title: "Both", device_ids: [absent, idOf(101)] } },
  });
  expect(await endedAs(data.device_task.id)).toBe(taskStates.partly_done.id);
});

test("a reply with a wrong checksum is requested again, and the log shows each try", async () => {
  faults.wrongCrc = 1;
  const { data } = await api.ask(control.device, {
    token,
    input: { body: { id: idOf(101), management: { read_info: true } } },
  });
  const row = await loggedOf(idOf(101), data.device_task.id);
  faults.wrongCrc = 0;

  expect(row.steps?.some(({ error }) => error?.kind === "checksum")).toBe(true);
  expect(row.steps?.some((step) => step.try > 1)).toBe(true);
});

test("tasks poll several devices; commands that a model does not have are refused", async () => {
  const poll = await api.ask(tasks.create, {
    token,
    input: { body: { command_type: "poll", title: "Morning", device_ids: [idOf(101), idOf(104)] } },
  });
  expect(poll.data.device_task).toMatchObject({ command_type: "poll", title: "Morning", status_id: 1 });

  const statuses = await until(async () => {
    const { rows } = await sql<{ status_id: number }>`
      select status_id from device_task where id = ${poll.data.device_task.id}`.execute(
      api.services.database.system,
    );
    return rows[0]?.status_id === 3 ? rows : undefined;
  });
  expect(statuses).toHaveLength(1);

  const power = await api.ask(tasks.create, {
    token,
    input: {
      body: {
        command_type: "control",
        title: "Off",
        title_en: "Off",
        device_ids: [idOf(101)],
        management: { power: 0 },
      },
    },
  });
  expect([power.status, power.code]).toEqual([422, "command_unsupported"]);
});

test("ACL-019: keys that read need read on 4, keys that change need update; a foreign device is not found", async () => {
  const viewer = await api.token("viewer@metrum.example");

  const changing = await api.ask(control.device, {
    token: viewer,
    input: { body: { id: idOf(101), management: { power: 0 } } },
  });
  const foreign = await api.ask(control.device, {
    token: viewer,
    input: { body: { id: idOf(101), management: { tariff: 1 } } },
  });
  const log = await api.ask(tasks.logs, { token: viewer, input: { body: { device_id: idOf(101) } } });
  const allowed = await api.ask(control.device, {
    token: await api.token("operator@metrum.example"),
    input: { body: { id: idOf(101), management: { power: 0 } } },
  });
  const none = await api.ask(control.device, {
    token: await api.token("norights@metrum.example"),
    input: { body: { id: idOf(101), management: { tariff: 1 } } },
  });

  expect([changing.status, foreign.status, log.status]).toEqual([403, 404, 404]);
  expect([allowed.code, none.status]).toEqual(["command_unsupported", 403]);
});

test("POLL-001, POLL-018: the polling of a device is shown and started; a switched-off one can still be polled manually", async () => {
  const id = idOf(501);

  const run = await api.ask(pollingCalls.run, { token, input: { body: { device_id: id, run: true } } });
  expect(run.data.device_polling).toMatchObject({ device_id: id, is_active: true, interval: 300 });
  expect(run.data.device_polling.device_task_id).toBeGreaterThan(0);

  await api.ask(pollingCalls.switch, { token, input: { body: { device_id: id, is_active: false } } });
  const after = await api.ask(pollingCalls.run, { token, input: { body: { device_id: id } } });
  expect(after.data.device_polling.is_active).toBe(false);
  const byHand = await api.ask(pollingCalls.run, { token, input: { body: { device_id: id, run: true } } });
  expect(byHand.data.device_polling.device_task_id).toBeGreaterThan(0);
  await api.ask(pollingCalls.switch, { token, input: { body: { device_id: id, is_active: true } } });
});

test("POLL-019: devices on one line are polled one after another", async () => {
  const { rows } = await sql<{ line: string; started_ms: number; duration_ms: number; steps: Buffer }>`
    select line, started_ms, duration_ms, steps from poll_log where line like 'modem:%' order by line, started_ms`.execute(
    api.services.database.system,
  );
  // A poll holds its line from its first step on.
  const held = rows.flatMap(({ line, started_ms, duration_ms, steps }) => {
    const [first] = unpackSteps(steps);
    return first ? [{ line, from: started_ms + first.at, to: started_ms + duration_ms }] : [];
  });
  const overlaps = held.filter((one) =>
    held.some(
      (other) => other !== one && other.line === one.line && other.from < one.to && one.from < other.to,
    ),
  );

  expect(held.length).toBeGreaterThan(2);
  expect(overlaps).toEqual([]);
});

describe("POLL-023 a poll", () => {
  const system = () => api.services.database.system;
  const now = () => Math.floor(Date.now() / 1000);
  const put = (id: number, failures: number, inSec: number) =>
    sql`update device_state set poll_failures = ${failures}, next_poll_at = ${now() + inSec} where device_id = ${id}`.execute(
      system(),
    );
  const waitOf = async (id: number): Promise<number> => {
    const { rows } = await sql<{ at: number }>`
      select next_poll_at as at from device_state where device_id = ${id}`.execute(system());
    return (rows[0]?.at ?? 0) - now();
  };
  const poll = (deviceId: number) => pollDevice(api.services, dialogue.ports.lines, { deviceId });
  const every = (id: number, sec: number) =>
    sql`update device set report_period_update = ${sec} where id = ${id}`.execute(system());

  beforeAll(async () => {
    await stopPlanner();
    stopPlanner = () => Promise.resolve();
  });
  afterEach(() => {
    faults.loss = 0;
  });

  test("that is good after failures ends their pause: the next slot is that of the interval, on its grid", async () => {
    await every(idOf(101), 60);
    await put(idOf(101), 6, 843);

    await poll(idOf(101));

    const wait = await waitOf(idOf(101));
    expect(wait).toBeGreaterThan(-30);
    expect(wait).toBeLessThanOrEqual(60);
  });

  test("that failed is repeated within its hour, three times, and then waits for the next one", async () => {
    await every(idOf(101), 3_600);
    faults.loss = 1;
    const waits: number[] = [];
    for (let failures = 0; failures < 4; failures++) {
      await put(idOf(101), failures, 3_500);
      await poll(idOf(101));
      waits.push(await waitOf(idOf(101)));
    }

    // What the polls themselves take is missing.
    for (const [at, most] of [300, 600, 900, 3_500].entries()) {
      expect(waits[at]).toBeLessThanOrEqual(most);
      expect(waits[at]).toBeGreaterThan(most - 100);
    }
  });

  test("of a device with a short interval waits for its next slot", async () => {
    await every(idOf(101), 60);
    await put(idOf(101), 0, 55);
    faults.loss = 1;

    await poll(idOf(101));

    expect(await waitOf(idOf(101))).toBeGreaterThan(55 - 100);
    expect(await waitOf(idOf(101))).toBeLessThanOrEqual(55);
  });
});

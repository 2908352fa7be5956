import { control, tasks, taskStates, type DeviceCommand } from "@metrum/contract/headend";
import { devices } from "@metrum/contract/metering";
import { sql } from "kysely";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { openSession, type Dialogue } from "#headend/dialogue";
import { askedDevice, lineOf } from "#headend/exchanges";
import { offerActuator, registerActuator, startActuator, type Actuator } from "#testing/actuator";
import type { TestApi } from "#testing/api";
import { movableClock } from "#testing/clock";
import { openTestDialogue } from "#testing/dialogue";
import { until } from "#testing/until";
import { carryOut } from "./execution/carryOut.ts";
import { headOf, type OpenCommand } from "./openStore.ts";
import { commandRound, startCommands } from "./execution/rounds.ts";
import { settle } from "./execution/settle.ts";
import { take } from "./execution/take.ts";

const clock = movableClock();
let api: TestApi;
let dialogue: Dialogue;
let token: string;
let staff: string;
let withdraw: () => void;
let stopRounds: (() => Promise<void>) | undefined;
const actuators: Actuator[] = [];

beforeAll(async () => {
  withdraw = offerActuator();
  ({ api, dialogue } = await openTestDialogue({ clock }));
});
beforeEach(async () => {
  // Limits of the minutes before are over.
  clock.ahead += 3_600;
  token = await api.token("engineer@metrum.example");
  staff = await api.token("admin@metrum.example");
});
afterEach(async () => {
  await stopRounds?.();
  stopRounds = undefined;
  await sql`delete from control_freeze`.execute(api.services.database.system);
  await sql`update device_command set state = 'cancelled', follow_at = null where state in ('queued', 'sending') or follow_at is not null`.execute(
    api.services.database.system,
  );
});
afterAll(async () => {
  withdraw();
  await dialogue.stop();
  for (const actuator of actuators) await actuator.stop();
  await api.close();
});

/** A device with its line; the work on commands runs unless it is held. */
async function aDevice(): Promise<{ readonly id: number; readonly actuator: Actuator }> {
  const actuator = await startActuator();
  actuators.push(actuator);
  return { id: await registerActuator(api, actuator), actuator };
}
const work = (): void => {
  stopRounds ??= startCommands(api.services);
};

const send = (id: number, management: Record<string, unknown>, proof: object = {}, as = token) =>
  api.ask(control.device, { token: as, language: "en", input: { body: { id, management, ...proof } } });

async function last(id: number): Promise<DeviceCommand> {
  const { data } = await api.ask(control.list, { token, input: { body: { device_id: id } } });
  const [found] = data.commands.data;
  if (!found) throw new Error("no command");
  return found;
}
const ended = (id: number): Promise<DeviceCommand> =>
  until(async () => {
    const found = await last(id);
    return !["queued", "sending"].includes(found.state) && found;
  });

describe("a command", () => {
  test("CTRL-024 CTRL-076 CTRL-082 CTRL-083 CTRL-087 CTRL-088 is carried out, read back and answered; the status of the device is filled", async () => {
    const [first, { id, actuator }] = [await aDevice(), await aDevice()];
    work();
    // It waits until all that commands need is loaded.
    await send(first.id, { power: 0 });

    const answer = await send(id, { power: 0 });

    expect([answer.status, answer.msg]).toEqual([200, "The device has carried out the command"]);
    expect(answer.data.control_set).toEqual({ result: "The device has carried out the command" });
    expect(answer.data.device_task).toMatchObject({
      status_id: taskStates.done.id,
      management: { power: 0 },
    });
    expect(actuator.done).toEqual([0]);
    expect(await last(id)).toMatchObject({
      state: "done",
      attempts: 1,
      management: { power: 0 },
      after: { relay_state: 0 },
    });
    const { rows } = await sql<{
      state: object;
    }>`select state from device_status where device_id = ${id}`.execute(api.services.database.system);
    expect(rows).toEqual([{ state: { relay_state: 0 } }]);
    const shown = await api.ask(devices.get, { token, input: { params: { id: String(id) } } });
    expect(shown.data.metering_device.status).toMatchObject({ relay_state: 0 });
  });

  test("CTRL-023 CTRL-090 of a state is read, with the time at which the device told it", async () => {
    const { id } = await aDevice();
    work();

    await send(id, { relay_state: 1 });

    expect(await ended(id)).toMatchObject({ state: "done", after: { relay_state: 1 } });
    const { rows } = await sql<{ told: number }>`
      select (told_at ->> 'relay_state')::bigint as told from device_status where device_id = ${id}`.execute(
      api.services.database.system,
    );
    expect(Math.abs((rows[0]?.told ?? 0) - clock.now())).toBeLessThan(60);
  });

  test("CTRL-106 that the device confirms without doing it is not done", async () => {
    const { id, actuator } = await aDevice();
    actuator.manner = "lies";
    work();

    await send(id, { power: 0 });

    expect(await ended(id)).toMatchObject({ state: "failed", after: { relay_state: 1 } });
    expect(actuator.done).toEqual([]);
  });

  test("CTRL-106 that cannot be read back is not done either", async () => {
    const { id, actuator } = await aDevice();
    actuator.hidesState = true;
    work();

    await send(id, { power: 0 });

    expect(await ended(id)).toMatchObject({ state: "unknown" });
  });

  test("CTRL-029 that the device refuses has failed with its reason", async () => {
    const { id, actuator } = await aDevice();
    actuator.manner = "refuses";
    work();

    await send(id, { power: 0 });

    expect(await ended(id)).toMatchObject({ state: "failed", message: "the device refuses" });
  });

  test("CTRL-108 whose answer is lost is unknown, never repeated, and its state is read", async () => {
    const { id, actuator } = await aDevice();
    actuator.manner = "mute";
    work();

    await send(id, { power: 0 });

    const found = await until(async () => {
      const command = await last(id);
      return command.after !== null && command;
    });
    expect(found).toMatchObject({ state: "unknown", after: { relay_state: 0 } });
    expect(actuator.done).toEqual([0]);
    const { data } = await api.ask(tasks.list, { token, input: { body: { device_id: id } } });
    expect(data.device_tasks.data[0]).toMatchObject({ status_id: taskStates.unknown.id, failed_count: 1 });
  });

  test("CTRL-108 whose answer is lost is read back before the next command changes the state", async () => {
    const { id, actuator } = await aDevice();
    actuator.manner = "mute";

    await send(id, { power: 0 });
    await send(id, { power: 1 });
    work();

    const all = await until(async () => {
      const { data } = await api.ask(control.list, { token, input: { body: { device_id: id } } });
      const { data: found } = data.commands;
      return found.every(({ after }) => after !== null) && found;
    });
    expect(all.map(({ state, after }) => [state, after])).toEqual([
      ["unknown", { relay_state: 1 }],
      ["unknown", { relay_state: 0 }],
    ]);
    expect(actuator.done).toEqual([0, 1]);
  });

  test("CTRL-105 of a device without a line waits and can be cancelled", async () => {
    const { id, actuator } = await aDevice();
    await actuator.stop();
    work();

    const { data } = await send(id, { power: 0 });
    const cancel = await api.ask(tasks.cancel, {
      token,
      input: { body: { device_task_ids: [data.device_task.id] } },
    });

    expect(data.device_task.expires_at - data.device_task.created_at).toBe(600);
    expect(cancel.data.cancelled).toBe(1);
    expect(await last(id)).toMatchObject({ state: "cancelled" });
  });

  test("CTRL-105 that has expired is never sent", async () => {
    const { id, actuator } = await aDevice();
    await send(id, { power: 0 });
    clock.ahead += 601;
    work();

    expect(await ended(id)).toMatchObject({ state: "expired", attempts: 0 });
    expect(actuator.requests).toBe(0);
  });

  test("CTRL-105 whose line is taken only after its expiry is not sent", async () => {
    const { id, actuator } = await aDevice();
    await send(id, { power: 0 });
    const command = await queued(id);
    clock.ahead += 601;

    expect(await carry(command, gone)).toMatchObject({ state: "left" });
    expect(actuator.requests).toBe(0);
  });

  test("CTRL-085 is in the audit log with the state before, in the transaction of the command", async () => {
    const { id } = await aDevice();
    work();
    await send(id, { power: 0 });
    await ended(id);
    await send(id, { power: 1 });

    const { rows } = await sql<{ before: object; after: { management: object }; user_id: number }>`
      select before, after, user_id from audit where action = 'device.control' and subject = ${`device ${String(id)}`}
      order by id desc limit 1`.execute(api.services.database.system);
    expect(rows[0]).toMatchObject({
      before: { [String(id)]: { relay_state: 0 } },
      after: { management: { power: 1 } },
    });
    expect(rows[0]?.user_id).not.toBeNull();
  });

  test("DEV-021 settings_clear forgets the settings that a device has told, and nothing else", async () => {
    const { id } = await aDevice();
    await sql`insert into device_status (device_id, state, told_at)
      values (${id}, '{"relay_state": 1, "set_settings": {"sleep_time": 5}}', '{"relay_state": 1, "set_settings": 1}')`.execute(
      api.services.database.system,
    );

    const { status } = await api.ask(control.settingsClear, { token, input: { params: { id: String(id) } } });

    const { rows } = await sql`select state, told_at from device_status where device_id = ${id}`.execute(
      api.services.database.system,
    );
    expect(status).toBe(200);
    expect(rows).toEqual([{ state: { relay_state: 1 }, told_at: { relay_state: 1 } }]);
  });
});

/** A command of a device, taken by a process that then dies. */
async function queued(id: number): Promise<OpenCommand> {
  const found = await headOf(api.services.database.system, id, clock.now());
  if (!found) throw new Error("nothing is queued");
  return found;
}
const gone = 999_999;

async function carry(command: OpenCommand, processId: number) {
  const device = await askedDevice(api.services.database.system, command.deviceId);
  const target = device && lineOf(device);
  if (!device || !target) throw new Error("no device");
  const session = openSession(api.services, device, {
    kind: "request",
    line: target.key,
    use: (run) => dialogue.ports.lines.use(target, run),
  });
  if (!session.isOpen) throw new Error("no session");
  return carryOut(api.services, session, command, () => take(api.services, command, processId));
}

describe("CTRL-108 a process that dies", () => {
  test("before a command was marked as being sent leaves it for another, which sends it once", async () => {
    const { id, actuator } = await aDevice();
    await send(id, { power: 0 });
    await queued(id);
    work();

    expect(await ended(id)).toMatchObject({ state: "done" });
    expect(actuator.done).toEqual([0]);
  });

  test("after that mark leaves an unknown outcome: the device has done nothing, and nothing is sent again", async () => {
    const { id, actuator } = await aDevice();
    await send(id, { power: 0 });
    expect(await take(api.services, await queued(id), gone)).toBe(true);
    work();

    expect(await ended(id)).toMatchObject({ state: "unknown" });
    const { after } = await until(async () => {
      const found = await last(id);
      return found.after !== null && found;
    });
    expect(after).toEqual({ relay_state: 1 });
    expect(actuator.done).toEqual([]);
  });

  test("after the answer leaves an unknown outcome: the device has done it once", async () => {
    const { id, actuator } = await aDevice();
    await send(id, { power: 0 });
    const outcome = await carry(await queued(id), gone);
    expect(outcome.state).toBe("done");
    work();

    expect(await ended(id)).toMatchObject({ state: "unknown" });
    await until(async () => (await last(id)).after !== null);
    expect(actuator.done).toEqual([0]);
  });

  test("while a command is ended ends it once, whoever comes second", async () => {
    const { id, actuator } = await aDevice();
    await send(id, { power: 0 });
    const command = await queued(id);
    const outcome = await carry(command, gone);
    if (outcome.state === "left") throw new Error("not sent");
    await commandRound(api.services);
    await settle(api.services, { ...command, attempts: 1 }, outcome);

    expect(await last(id)).toMatchObject({ state: "unknown" });
    expect(actuator.done).toEqual([0]);
  });

  test("while a setting is sent that is harmless twice leaves it to be sent again, three times in all", async () => {
    const { id, actuator } = await aDevice();
    await send(id, { set_settings: { sleep_time: 5, range_connect: 60 } });
    for (let attempt = 1; attempt <= 3; attempt++) {
      expect(await take(api.services, await queued(id), gone)).toBe(true);
      await commandRound(api.services);
      expect(await last(id)).toMatchObject({
        state: attempt === 3 ? "unknown" : "queued",
        attempts: attempt,
      });
      clock.ahead += 61;
    }
    expect(actuator.done).toEqual([]);
  });

  test("while a setting is sent leaves it unknown even if it expires before the next attempt", async () => {
    const { id } = await aDevice();
    await send(id, { set_settings: { sleep_time: 6, range_connect: 60 } });
    await take(api.services, await queued(id), gone);
    await commandRound(api.services);
    clock.ahead += 2 * 86_400;
    token = await api.token("engineer@metrum.example");
    await commandRound(api.services);

    expect(await last(id)).toMatchObject({ state: "unknown", attempts: 1 });
  });

  test("never makes two processes send one command, nor one device get two at a time", async () => {
    const { id, actuator } = await aDevice();
    await send(id, { power: 0 });
    await send(id, { power: 1 });
    const first = await queued(id);

    const outcomes = await Promise.all([1, 2, 3, 4].map(() => carry(first, gone)));

    expect(outcomes.filter(({ state }) => state === "done")).toHaveLength(1);
    expect(actuator.done).toEqual([0]);
    expect(await headOf(api.services.database.system, id, clock.now())).toBeUndefined();
  });
});

test("commands of a device are sent in the order in which they were requested", async () => {
  const { id, actuator } = await aDevice();
  await bulk([id], {}, { power: 0 });
  await bulk([id], {}, { set_plomb: 1 });
  await bulk([id], {}, { power: 1 });
  work();

  await until(async () => (await last(id)).state === "done");
  expect(actuator.done).toEqual([0, 7, 1]);
});

describe("CTRL-109 frozen", () => {
  const freeze = (is_frozen: boolean, company_id?: number) =>
    api.ask(control.freeze, {
      token: staff,
      input: { body: { is_frozen, reason: "Accident", ...(company_id ? { company_id } : {}) } },
    });

  test.each(["installation", "company"] as const)(
    "by staff for the %s: nothing is sent, new commands are refused, states are read, and everyone sees it",
    async (of) => {
      const company = of === "company" ? api.companies.first : undefined;
      const { id, actuator } = await aDevice();
      await send(id, { power: 0 });
      expect(await freeze(true, company)).toMatchObject({ status: 200 });
      work();

      const refused = await send(id, { power: 1 });
      const seen = await api.ask(control.state, { token });
      await commandRound(api.services);
      const attempt = await carry(await queued(id), gone);

      expect([refused.status, refused.code]).toEqual([409, "control_frozen"]);
      expect(refused.msg).toContain("Accident");
      expect(seen.data.freezes).toMatchObject([{ company_id: company ?? null, reason: "Accident" }]);
      expect(attempt).toMatchObject({ state: "left" });
      expect(await last(id)).toMatchObject({ state: "queued" });
      expect(actuator.done).toEqual([]);

      await freeze(false, company);
      clock.ahead += 10;
      expect(await ended(id)).toMatchObject({ state: "done" });
    },
  );
});

const bulk = (
  ids: readonly number[],
  proof: object = {},
  management: Record<string, unknown> = { power: 0 },
) =>
  api.ask(tasks.create, {
    token,
    language: "en",
    input: { body: { command_type: "control", title: "Off", device_ids: [...ids], management, ...proof } },
  });

describe("CTRL-104 switching off many devices", () => {
  test("asks for their number and the password; switching on does not", async () => {
    const ids: number[] = [];
    for (let count = 0; count < 21; count++) ids.push(await registerActuator(api, { port: 9 }));

    const bare = await bulk(ids);
    const wrongNumber = await bulk(ids, { current_password: "x", device_count: 20 });
    const wrongPassword = await bulk(ids, { current_password: "wrong", device_count: 21 });

    expect([bare.code, Object.keys(bare.attributes)]).toEqual([
      "control_proof",
      ["device_count", "current_password"],
    ]);
    expect(wrongNumber.code).toBe("control_proof");
    for (const limit of [0.1, 1])
      expect((await bulk(ids, {}, { limit: { limit } })).code).toBe("control_proof");
    expect(wrongPassword.code).toBe("password_wrong");
    expect((await bulk(ids, {}, { power: 1 })).status).toBe(200);
    const plan = await api.ask(control.plan, {
      token,
      input: { body: { device_ids: ids, management: { power: 0 } } },
    });
    expect(plan.data.plan).toMatchObject({
      able_count: 21,
      switches_off: true,
      needs: ["device_count", "current_password"],
      expires_in: 660,
    });
  });

  test("TASK-001 CTRL-081 says before which devices cannot, and leaves them out on request", async () => {
    const { id } = await aDevice();
    const { rows } = await sql<{ id: number }>`
      insert into device (company_id, model_id, model_title, device_group_id, device_type_id, interface_id, name, "deviceID")
      values (${api.companies.first}, 103, 'Other', 4, 3, 4, 'Other', 'other-1') returning id`.execute(
      api.services.database.system,
    );
    const other = rows[0]?.id ?? 0;

    const plan = await api.ask(control.plan, {
      token,
      input: { body: { device_ids: [id, other], management: { power: 0 } } },
    });
    const refused = await bulk([id, other]);
    const taken = await bulk([id, other], { skip_unable: true, title_en: "Off at night" });

    expect(plan.data.plan).toMatchObject({
      device_count: 2,
      able_count: 1,
      unable: [{ device_id: other, device_name: "Other", reason: "model" }],
    });
    expect(refused.code).toBe("command_unsupported");
    expect(taken.data.device_task).toMatchObject({
      ...{ command_type: "control", title: "Off", title_en: "Off at night", device_ids: [id] },
    });
  });

  test("CTRL-081 CTRL-104 a proof is of the devices that can, as the plan has counted them", async () => {
    const able = await Promise.all(Array.from({ length: 21 }, () => registerActuator(api, { port: 9 })));
    const { rows } = await sql<{ id: number }>`
      insert into device (company_id, model_id, model_title, device_group_id, device_type_id, interface_id, name, "deviceID")
      select ${api.companies.first}, 103, 'Other', 4, 3, 4, 'Other', 'unable-' || n from generate_series(1, 3) as n
      returning id`.execute(api.services.database.system);
    const ids = [...able, ...rows.map((row) => row.id)];
    const proof = { skip_unable: true, current_password: "wrong" };

    expect((await bulk(ids, { ...proof, device_count: 24 })).code).toBe("control_proof");
    // The number is accepted; of the password nothing else is asked here.
    expect((await bulk(ids, { ...proof, device_count: 21 })).code).toBe("password_wrong");
  });

  test("CTRL-081 stops at the first failure, and repeats only what was not carried out", async () => {
    const devices = [await aDevice(), await aDevice(), await aDevice()];
    for (const { actuator } of devices) actuator.manner = "refuses";
    const { data } = await bulk(
      devices.map(({ id }) => id),
      { stop_after: 1 },
    );
    work();

    const task = await until(async () => {
      const { data: listed } = await api.ask(tasks.list, {
        token,
        input: { body: { ids: [data.device_task.id] } },
      });
      const [found] = listed.device_tasks.data;
      return found?.ended_at !== null && found;
    });
    expect(task.failed_count).toBeGreaterThanOrEqual(1);
    for (const { actuator } of devices) actuator.manner = "mute";
    clock.ahead += 60;
    const repeat = await api.ask(tasks.repeat, { token, input: { body: { device_task_id: task.id } } });
    expect(repeat.data.device_task.device_count).toBe(task.failed_count);
    await until(async () => {
      const { data: listed } = await api.ask(tasks.list, {
        token,
        input: { body: { ids: [repeat.data.device_task.id] } },
      });
      return listed.device_tasks.data[0]?.ended_at !== null;
    });
    const again = await api.ask(tasks.repeat, {
      token,
      input: { body: { device_task_id: repeat.data.device_task.id } },
    });
    expect(again.code).toBe("nothing_to_repeat");
  });
});

test("actuations are limited to twenty a minute and user", async () => {
  const answers: (string | undefined)[] = [];
  for (let count = 0; count < 21; count++) {
    const id = await registerActuator(api, { port: 9 });
    answers.push((await bulk([id], {}, { power: 1 })).code);
  }

  expect(answers.filter((code) => code === undefined)).toHaveLength(20);
  expect(answers.at(-1)).toBe("control_limit");
});

test("a company may ask for a second factor before every command that changes a device", async () => {
  const { id } = await aDevice();
  const set = (asks_second_factor: boolean) =>
    api.ask(control.setPolicy, { token, input: { body: { asks_second_factor } } });
  await set(true);

  const refused = await send(id, { power: 0 });
  const reading = await send(id, { relay_state: 1 });
  await set(false);

  expect(refused.code).toBe("control_proof");
  expect(reading.status).toBe(200);
});

test("CTRL-102 unknown keys, companions alone and two commands at once are refused", async () => {
  const { id } = await aDevice();

  for (const management of [
    { power: 0, explode: 1 },
    { power: 0, relay_state: 1 },
    { delay: 1 },
    { power: 7 },
  ])
    expect((await send(id, management)).code).toBe("command_unsupported");
});

test("CTRL-084 every state of a command is announced with its task", async () => {
  const { id } = await aDevice();
  const heard: number[] = [];
  const stop = api.services.bus.on("tasksChanged", (changes) => {
    for (const { deviceId, statusId } of changes) if (deviceId === id) heard.push(statusId);
  });
  work();
  await send(id, { power: 0 });
  await until(() => heard.includes(taskStates.done.id));
  stop();

  expect(heard).toEqual([taskStates.running.id, taskStates.done.id]);
});

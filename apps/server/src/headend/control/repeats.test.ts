import { control, tasks, type DeviceTask } from "@metrum/contract/headend";
import { sql } from "kysely";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { registerActuator } from "#testing/actuator";
import { openTestCommands, type TestCommands } from "#testing/commands";
import { commandTasks } from "./index.ts";
import { startCommands } from "./execution/rounds.ts";

let commands: TestCommands;
let token: string;

beforeAll(async () => {
  commands = await openTestCommands(startCommands);
});
beforeEach(async () => {
  // Limits of the minutes before are over.
  commands.clock.ahead += 3_600;
  token = await commands.api.token("engineer@metrum.example");
});
afterEach(() => commands.forget());
afterAll(() => commands.stop());

const atOnce = (count: number, id: number, management: Record<string, unknown>) =>
  Promise.all(Array.from({ length: count }, () => commands.send(token, id, management)));

describe("CTRL-086 the same command", () => {
  test("fifty times at once is executed once", async () => {
    const { id, actuator } = await commands.aDevice();

    const answers = await atOnce(50, id, { power: 0 });

    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    // On a machine under load some get no connection in time.
    const others = answers
      .filter(({ status }) => status !== 200)
      .flatMap(({ code }) => (code === "busy" ? [] : [code]));
    expect(new Set(others)).toEqual(new Set(["control_repeated"]));
    await commands.ended(token, id);
    expect(actuator.done).toEqual([0]);
  });

  test("that changes a setting, twenty times at once without a key, is sent once", async () => {
    const { id, actuator } = await commands.aDevice();

    const answers = await atOnce(20, id, { set_settings: { sleep_time: 9, range_connect: 60 } });

    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    await commands.ended(token, id);
    expect(actuator.done).toEqual([9]);
  });

  test("with its key is answered with the first one before a proof is asked for, and before a freeze counts", async () => {
    const { api } = commands;
    const { id, actuator } = await commands.aDevice();
    const staff = await api.token("admin@metrum.example");
    const keyed = (power: number) =>
      api.fastify.inject({
        method: "POST",
        url: "/api/device/control",
        headers: { authorization: `Bearer ${token}`, "idempotency-key": `first-${String(id)}` },
        payload: { id, management: { power } },
      });
    const policy = (asks_second_factor: boolean) =>
      api.ask(control.setPolicy, { token, input: { body: { asks_second_factor } } });
    const freeze = (is_frozen: boolean) =>
      api.ask(control.freeze, { token: staff, input: { body: { is_frozen, reason: "Storm" } } });
    const taskIn = (answer: { json: () => { data: { device_task: { id: number } } } }) =>
      answer.json().data.device_task.id;
    const first = await keyed(0);
    // The process died after the command was stored: its answer was not kept.
    await sql`delete from once`.execute(api.services.database.system);
    await policy(true);
    await freeze(true);

    const repeat = await keyed(0);
    const other = await keyed(1);
    await policy(false);
    await freeze(false);

    expect([first.statusCode, repeat.statusCode]).toEqual([200, 200]);
    expect(taskIn(repeat)).toBe(taskIn(first));
    expect(other.json()).toMatchObject({ code: "key_reused" });
    await commands.ended(token, id);
    expect(actuator.done).toEqual([0]);
  });

  test("CTRL-046 that sets a time is repeated with the time that it is then", async () => {
    const { api, clock } = commands;
    const { id, actuator } = await commands.aDevice();
    actuator.manner = "refuses";
    const created = await api.ask(tasks.create, {
      token,
      input: {
        body: {
          ...{ command_type: "control", title: "T", device_ids: [id] },
          management: { time_set: "2026-03-01 12:00" },
        },
      },
    });
    expect(await commands.ended(token, id)).toMatchObject({ state: "failed" });
    const task = created.data.device_task;
    clock.ahead += 86_400;
    token = await api.token("engineer@metrum.example");

    const { data } = await api.ask(tasks.repeat, { token, input: { body: { device_task_id: task.id } } });

    const { management, created_at } = data.device_task;
    const lateSec = created_at - task.created_at - 86_400;
    expect(lateSec).toBeLessThan(60);
    expect(management).toEqual({
      time_set: new Date(Date.UTC(2026, 2, 2, 12, 0, lateSec)).toISOString().slice(0, 19).replace("T", " "),
    });
  });

  test("CTRL-046 that sets a time is one day later the time of a day later, any other the same", () => {
    const created = Date.UTC(2026, 2, 1, 4) / 1000;
    const task = {
      management: { time_set: "2026-03-01 12:00" },
      created_at: created,
    } as unknown as DeviceTask;

    expect(commandTasks.sentNow(task, created + 86_400)).toEqual({ time_set: "2026-03-02 12:00:00" });
    const other = { ...task, management: { power: 1 } } as DeviceTask;
    expect(commandTasks.sentNow(other, created + 86_400)).toEqual({ power: 1 });
  });

  test("of another user is refused while the first is open, and within five seconds of it", async () => {
    // Nothing listens there: the command stays open.
    const id = await registerActuator(commands.api, { port: 9 });
    const operator = await commands.api.token("operator@metrum.example");

    await commands.send(token, id, { power: 0 });
    commands.clock.ahead += 60;

    expect((await commands.send(operator, id, { power: 0 })).code).not.toBe("");
    expect((await commands.send(token, id, { power: 0 })).code).toBe("control_repeated");
  });
});

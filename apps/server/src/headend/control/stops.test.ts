import { sql } from "kysely";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { remember } from "#core";
import { enterPresence } from "#headend/channels";
import { registerActuator } from "#testing/actuator";
import { openTestCommands, type TestCommands } from "#testing/commands";
import { openDialogue } from "#testing/dialogue";
import { until } from "#testing/until";
import { writeProcess } from "../channels/processes/processStore.ts";
import { headOf } from "./openStore.ts";
import { startCommands } from "./execution/rounds.ts";
import { take } from "./execution/take.ts";

let commands: TestCommands;
let token: string;

beforeEach(async () => {
  commands = await openTestCommands(startCommands);
  token = await commands.api.token("engineer@metrum.example");
});
afterEach(() => commands.stop());

describe("CTRL-108 a process that is stopped", () => {
  test("while a device carries out a command waits for it and reads back: the command is done", async () => {
    const { id, actuator } = await commands.aDevice();
    actuator.delayMs = 150;
    void commands.send(token, id, { power: 0 });
    await until(() => actuator.done.length === 1);

    await commands.dialogue.stop();

    expect(await commands.ended(token, id)).toMatchObject({ state: "done", after: { relay_state: 0 } });
    expect(actuator.done).toEqual([0]);
  });

  test("stops in time although a device does not answer, and the next start sends what was left, once", async () => {
    const { id, actuator } = await commands.aDevice();
    const slow = await commands.aDevice();
    slow.actuator.delayMs = 60_000;
    void commands.send(token, slow.id, { power: 0 });
    await until(() => slow.actuator.done.length === 1);
    const startedMs = performance.now();

    await commands.dialogue.stop();

    expect(performance.now() - startedMs).toBeLessThan(40_000);
    void commands.send(token, id, { power: 0 });
    slow.actuator.delayMs = 0;
    const next = await openDialogue(commands.api.services);
    expect(await commands.ended(token, id)).toMatchObject({ state: "done" });
    expect(await commands.ended(token, slow.id)).toMatchObject({ state: "unknown" });
    expect([actuator.done, slow.actuator.done]).toEqual([[0], [0]]);
    await next.stop();
  });

  test("by a kill and started again alone has no part in it: a command of its former start is ended at once", async () => {
    const { database, log } = commands.api.services;
    const { id, actuator } = await commands.aDevice();
    await commands.stopWork();
    void commands.send(token, id, { power: 0 });
    const command = await until(() => headOf(database.system, id, commands.clock.now()));
    const killed = await enterPresence(database, log);
    expect(await take(commands.api.services, command, killed.id)).toBe(true);
    await killed.leave();
    // Its row stays after a kill, only its lock does not.
    await writeProcess(database, killed.id, []);

    const next = await enterPresence(database, log);
    const stopWork = startCommands(commands.api.services);

    expect(await commands.ended(token, id)).toMatchObject({ state: "unknown" });
    expect(actuator.done).toEqual([]);
    await stopWork();
    await next.leave();
  });
});

test("CTRL-105 a clock set back across a restart prolongs no command, and has none wait", async () => {
  const { clock, api } = commands;
  const { system } = api.services.database;
  const id = await registerActuator(api, { port: 9 });
  void commands.send(token, id, { power: 0 });
  await until(() => headOf(system, id, clock.now()));
  await commands.stopWork();
  await remember(system, "clock_seen:control", { at: clock.now() });
  clock.ahead -= 7_200;

  const stopWork = startCommands(api.services);

  const { expiresAt, createdAt } = await until(() => headOf(system, id, clock.now()));
  expect(expiresAt - createdAt).toBe(600);
  expect(expiresAt).toBeLessThanOrEqual(clock.now() + 600);
  await stopWork();
});

test("CTRL-105 commands of a clock that was ahead do not count for the limits for as long as it was", async () => {
  const { clock, api } = commands;
  const { system } = api.services.database;
  const { id } = await commands.aDevice();
  clock.ahead += 7_200;
  await commands.send(token, id, { power: 0 });
  await commands.ended(token, id);
  await commands.stopWork();
  await remember(system, "clock_seen:control", { at: clock.now() });
  clock.ahead -= 7_200;

  const stopWork = startCommands(api.services);

  await until(async () => {
    const { rows } = await sql<{ at: number }>`
      select greatest(created_at, sent_at)::float8 as at from device_command where device_id = ${id}`.execute(
      system,
    );
    return rows.every(({ at }) => at <= clock.now());
  });
  await stopWork();
});

import { controlLimits, tasks, taskStates } from "@metrum/contract/headend";
import { sql, type RawBuilder } from "kysely";
import pg from "pg";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { offerActuator, registerActuator } from "#testing/actuator";
import { openTestApi, type TestApi } from "#testing/api";
import type { Db } from "#core";
import { movableClock } from "#testing/clock";
import { openCommandBatches } from "./batches.ts";
import { followsOf, headsOf, type OpenCommand } from "../openStore.ts";
import { settle, settleAll, type Outcome } from "./settle.ts";
import { take } from "./take.ts";

const clock = movableClock();
let api: TestApi;
let withdraw: () => void;

beforeAll(async () => {
  withdraw = offerActuator();
  api = await openTestApi({ clock });
});
afterEach(async () => {
  await sql`update device_command set state = 'cancelled' where state in ('queued', 'sending')`.execute(
    system(),
  );
  // Limits of the minutes before are over.
  clock.ahead += 3_600;
});
afterAll(async () => {
  withdraw();
  await api.close();
});

const system = () => api.services.database.system;
/** The process that sends. */
const sender = 1;

/** Commands to so many devices, in one task. */
async function queuedCommands(count: number, management: Record<string, unknown>): Promise<OpenCommand[]> {
  const ids: number[] = [];
  for (let at = 0; at < count; at++) ids.push(await registerActuator(api, { port: 9 }));
  const { status, msg } = await api.ask(tasks.create, {
    token: await api.token("engineer@metrum.example"),
    input: { body: { command_type: "control", title: "T", device_ids: ids, management } },
  });
  expect([status, msg]).toEqual([200, msg]);
  return headsOf(system(), ids, clock.now());
}

const statesOf = async (commands: readonly OpenCommand[]): Promise<string[]> => {
  const { rows } = await sql<{ state: string }>`
    select state from device_command where id = any(${commands.map(({ id }) => id)}::bigint[]) order by id`.execute(
    system(),
  );
  return rows.map(({ state }) => state);
};

const itemsOf = async ([first]: readonly OpenCommand[]): Promise<number[]> => {
  const { rows } = await sql<{ status: number }>`
    select status_id as status from device_task_item where task_id = ${first?.taskId ?? 0} order by device_id`.execute(
    system(),
  );
  return rows.map(({ status }) => status);
};

const told: Outcome = { state: "done", result: "ok", message: "", read: { relay_state: 1 }, startedMs: 1 };

test("CTRL-108 a command that two lines take at once is sent by one of them, and no other of its device beside it", async () => {
  const [first] = await queuedCommands(1, { power: 1 });
  if (!first) throw new Error("no command");
  const { rows } = await sql<{ id: number }>`
    insert into device_command (company_id, task_id, device_id, user_id, key, arguments, actuates, switches_off, created_at,
      expires_at, next_at)
    select company_id, task_id, device_id, user_id, key, arguments, actuates, switches_off, created_at, expires_at, next_at
    from device_command where id = ${first.id}::bigint returning id::float8 as id`.execute(system());
  const second = { ...first, id: rows[0]?.id ?? 0 };

  const taken = await Promise.all(
    [second, first, first, second].map((command) => take(api.services, command, sender)),
  );

  expect(taken.filter(Boolean)).toHaveLength(1);
  expect((await statesOf([first, second])).sort()).toEqual(["queued", "sending"]);
});

test.each([
  ["an actuation", { power: 1 }],
  ["a reading", { relay_state: 1 }],
] as const)(
  "CTRL-108 a commit whose answer is lost leaves no command in sending (%s)",
  async (_, management) => {
    const [command] = await queuedCommands(1, management);
    if (!command) throw new Error("no command");
    const services = { ...api.services, database: loseAnswers(1) };
    const parts = { ...services.parts, commandBatches: openCommandBatches(services) };

    await expect(take({ ...services, parts }, command, sender)).rejects.toThrow("terminating");

    expect(await statesOf([command])).toEqual(["queued"]);
    expect(await itemsOf([command])).toEqual([taskStates.queued.id]);
    // The next attempt is the first one.
    expect(await take(api.services, command, sender)).toBe(true);
    const { rows } = await sql`select attempts from device_command where id = ${command.id}::bigint`.execute(
      system(),
    );
    expect(rows).toEqual([{ attempts: 1 }]);
  },
);

test("CTRL-108 a commit that was lost with its answer changes nothing", async () => {
  const [command] = await queuedCommands(1, { power: 1 });
  if (!command) throw new Error("no command");
  expect(await take(api.services, command, sender)).toBe(true);

  const late = { ...api.services, database: loseAnswers(1) };
  await expect(take(late, command, sender + 1)).rejects.toThrow("terminating");

  expect(await statesOf([command])).toEqual(["sending"]);
});

/** The database, whose first transactions are committed, but the connection breaks before their answer. */
function loseAnswers(count: number): TestApi["services"]["database"] {
  const { database } = api.services;
  let left = count;
  const transaction = () => ({
    execute: async (run: (db: Db) => Promise<unknown>) => {
      const result = await database.system.transaction().execute(run);
      if (left-- > 0)
        throw Object.assign(new pg.DatabaseError("terminating connection", 0, "error"), { code: "57P01" });
      return result;
    },
  });
  const system = Object.create(database.system, { transaction: { value: transaction } }) as Db;
  return Object.create(database, { system: { value: system } }) as typeof database;
}

test("CTRL-108 of many actuations taken at once no more are sent than a user may send within a minute", async () => {
  const commands = await queuedCommands(controlLimits.perUser + 5, { power: 1 });

  const taken = await Promise.all(commands.map((command) => take(api.services, command, sender)));
  expect(taken.filter(Boolean)).toHaveLength(controlLimits.perUser);
  expect(taken.lastIndexOf(true)).toBe(controlLimits.perUser - 1);

  const later = commands.slice(controlLimits.perUser);
  expect(await Promise.all(later.map((command) => take(api.services, command, sender)))).not.toContain(true);
  clock.ahead += 61;
  expect(await Promise.all(later.map((command) => take(api.services, command, sender)))).not.toContain(false);
});

test("an outcome that cannot be stored keeps none of the others from being stored", async () => {
  const commands = await queuedCommands(3, { relay_state: 1 });
  await Promise.all(commands.map((command) => take(api.services, command, sender)));

  const stored = await Promise.allSettled(
    commands.map((command, at) =>
      settle(api.services, command, at === 1 ? { ...told, startedMs: Number.MAX_VALUE } : told),
    ),
  );

  expect(stored.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
  expect(await statesOf(commands)).toEqual(["done", "sending", "done"]);
  expect(await itemsOf(commands)).toEqual([3, 2, 3]);
});

test("CTRL-084 outcomes of several kinds at once end each command and its item, and the task with the last", async () => {
  const commands = await queuedCommands(4, { relay_state: 1 });
  await Promise.all(commands.map((command) => take(api.services, command, sender)));
  const failed: Outcome = { ...told, state: "failed", result: "refused", message: "no", read: undefined };
  const again: Outcome = { ...failed, state: "again", result: "timeout" };
  const unknown: Outcome = { ...again, state: "unknown", isNotFollowed: true };

  const outcomes = [told, failed, again, unknown];
  await Promise.all(
    commands.map(async (command, at) => {
      const outcome = outcomes[at];
      if (outcome) await settle(api.services, { ...command, attempts: 1 }, outcome);
    }),
  );

  expect(await statesOf(commands)).toEqual(["done", "failed", "queued", "unknown"]);
  const { rows } = await sql<{ ended: boolean }>`
    select ended_at is not null as ended from device_task where id = ${commands[0]?.taskId ?? 0}`.execute(
    system(),
  );
  expect(rows).toEqual([{ ended: false }]);
  expect(new Set(await itemsOf(commands)).size).toBe(4);
});

/** Keeps rows or locks from others while work runs. */
async function whileLocked(lock: RawBuilder<unknown>, work: () => Promise<void>): Promise<void> {
  await system()
    .transaction()
    .execute(async (db) => {
      await lock.execute(db);
      await work();
    });
}

test("CTRL-108 an actuation that waits for its company keeps no line of others waiting", async () => {
  const [actuation] = await queuedCommands(1, { power: 1 });
  const [reading] = await queuedCommands(1, { relay_state: 1 });
  if (!actuation || !reading) throw new Error("no commands");
  let waits: Promise<boolean> | undefined;

  await whileLocked(
    sql`select pg_advisory_xact_lock(hashtext(${`actuation:${String(actuation.companyId)}`}))`,
    async () => {
      waits = take(api.services, actuation, sender);
      expect(await take(api.services, reading, sender)).toBe(true);
    },
  );

  expect(await waits).toBe(true);
});

test("a command that cannot be taken keeps none of the others from being taken", async () => {
  const commands = await queuedCommands(3, { relay_state: 1 });
  const noProcess = Number.MAX_SAFE_INTEGER;

  const taken = await Promise.allSettled(
    commands.map((command, at) => take(api.services, command, at === 1 ? noProcess : sender)),
  );

  expect(taken.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
  expect(await statesOf(commands)).toEqual(["sending", "queued", "sending"]);
});

test("a transaction that the database gave up for another is repeated, and the outcome stored", async () => {
  const [command] = await queuedCommands(1, { relay_state: 1 });
  if (!command) throw new Error("no command");
  await take(api.services, command, sender);
  let tries = 0;
  const { database } = api.services;
  const deadlock = Object.assign(new pg.DatabaseError("deadlock detected", 0, "error"), { code: "40P01" });
  const flaky = Object.create(database, {
    system: {
      get: () => {
        tries += 1;
        if (tries === 1) throw deadlock;
        return database.system;
      },
    },
  }) as typeof database;

  await settleAll({ ...api.services, database: flaky }, [{ command, outcome: told }]);

  expect([tries, await statesOf([command])]).toEqual([2, ["done"]]);
});

test("CTRL-084 CTRL-106 a command that is cancelled between attempts of which one may have been carried out is unknown", async () => {
  const commands = await queuedCommands(2, { set_plomb: 1 });
  const [uncertain] = commands;
  if (!uncertain) throw new Error("no command");
  await take(api.services, uncertain, sender);
  await settle(
    api.services,
    { ...uncertain, attempts: 1 },
    { ...told, state: "again", result: "timeout", mayBeDone: true, read: undefined },
  );

  const announced: number[] = [];
  const stop = api.services.bus.on("tasksChanged", (changes) => {
    announced.push(...changes.map(({ statusId }) => statusId));
  });
  const { data } = await api.ask(tasks.cancel, {
    token: await api.token("engineer@metrum.example"),
    input: { body: { device_task_ids: [uncertain.taskId] } },
  });
  stop();

  expect(data.cancelled).toBe(2);
  expect(announced).toContain(taskStates.unknown.id);
  expect(await statesOf(commands)).toEqual(["unknown", "cancelled"]);
  expect(await itemsOf(commands)).toEqual([taskStates.unknown.id, taskStates.cancelled.id]);
  expect((await followsOf(system(), [uncertain.deviceId])).map(({ id }) => id)).toEqual([uncertain.id]);
});

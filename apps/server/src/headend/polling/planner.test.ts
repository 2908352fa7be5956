import { polling, pollResults, tasks } from "@metrum/contract/headend";
import { demoPlan, type Plan } from "@metrum/simulator";
import type { DeviceId } from "@metrum/vocabulary";
import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import {
  enterPresence,
  freeIdleQueues,
  freeOwnWorkers,
  freeProcesses,
  goneProcesses,
  knownProcesses,
} from "#headend/channels";
import { openTestApi, type TestApi } from "#testing/api";
import { registerPark } from "#testing/park";
import { until } from "#testing/until";
import { prepareJobs } from "#headend/dialogue";
import { writeProcess } from "../channels/processes/processStore.ts";
import { planDue, planRequests, planUnplanned, startPlanner } from "./planner.ts";
import { forget, remembered } from "#core";
import { pullSlotsNear, takeSerialTurn } from "#metering/device-state";

const demo = demoPlan(2);
/** Converters only: lines that any process can open. */
const gateways = demo.gateways.filter(({ port }) => port !== undefined);
const plan: Plan = {
  gateways,
  baseStations: [],
  devices: demo.devices.filter(({ gateway }) => gateways.some(({ key }) => key === gateway)).slice(0, 40),
};

let api: TestApi;
let now = 1_800_000_000;

beforeAll(async () => {
  api = await openTestApi({ clock: { now: () => now, nowMs: () => now * 1000 } });
  await prepareJobs(api.services);
  await registerPark(api.services.database, api.companies.first, plan);
  await sql`update gateway set host = '127.0.0.1', port = 20000 + id`.execute(api.services.database.system);
});
afterAll(() => api.close());
beforeEach(async () => {
  const db = api.services.database.system;
  await sql`select graphile_worker.complete_jobs(array(select id from graphile_worker.jobs))`.execute(db);
  await sql`update device_state set next_poll_at = null, poll_failures = 0`.execute(db);
});

async function jobs(): Promise<
  { key: string; queue_name: string; task_identifier: string; priority: number }[]
> {
  const { rows } = await sql<{ key: string; queue_name: string; task_identifier: string; priority: number }>`
    select key, queue_name, task_identifier, priority from graphile_worker.jobs order by id`.execute(
    api.services.database.system,
  );
  return rows;
}

async function slots(): Promise<number[]> {
  const { rows } = await sql<{ next_poll_at: number }>`
    select next_poll_at from device_state order by device_id`.execute(api.services.database.system);
  return rows.map((row) => row.next_poll_at);
}

describe("the plan", () => {
  test("POLL-006: leaves out a device whose polling is switched off, until it is switched on", async () => {
    const db = api.services.database.system;
    const token = await api.token("engineer@metrum.example");
    const { rows } = await sql<{ id: number }>`select min(id) as id from device`.execute(db);
    const [{ id } = { id: 0 }] = rows;
    const isPlanned = async (is_active: boolean) => {
      await api.ask(polling.switch, { token, input: { body: { device_id: id, is_active } } });
      await sql`update device_state set next_poll_at = ${now} where device_id = ${id}`.execute(db);
      await planDue(api.services);
      return (await jobs()).some(({ key }) => key === `poll:${String(id)}`);
    };

    expect(await isPlanned(false)).toBe(false);
    expect(await isPlanned(true)).toBe(true);
  });

  test("schedules the first poll of a new device within half a minute", async () => {
    expect(await planUnplanned(api.services)).toBe(plan.devices.length);

    const planned = await slots();
    expect(planned.every((at) => at >= now && at < now + 30)).toBe(true);
    expect(await planUnplanned(api.services)).toBe(0);
  });

  test("POLL-020: after an outage of hours each device is polled once", async () => {
    await planUnplanned(api.services);
    now += 5 * 3600;

    expect(await planDue(api.services)).toBe(plan.devices.length);

    const planned = await jobs();
    expect(planned).toHaveLength(plan.devices.length);
    expect(new Set(planned.map(({ key }) => key)).size).toBe(plan.devices.length);
    expect(await planDue(api.services)).toBe(0);
  });

  test("runs each 60 s slot once and never queues a second job of a device", async () => {
    await planUnplanned(api.services);
    let runs = 0;
    for (let minute = 0; minute < 5; minute++) {
      now += 60;
      for (let found = -1; found !== 0;) {
        found = await planDue(api.services);
        runs += found;
      }
    }

    expect(runs).toBe(5 * plan.devices.length);
    expect(await jobs()).toHaveLength(plan.devices.length);
  });

  test("shares the due devices between two planners, each device once", async () => {
    await planUnplanned(api.services);
    now += 3600;

    const found = await Promise.all([1, 2, 3, 4].map(() => planDue(api.services)));

    expect(found.reduce((sum, each) => sum + each, 0)).toBe(plan.devices.length);
    expect(await jobs()).toHaveLength(plan.devices.length);
  });

  test("puts the jobs of a line into one queue", async () => {
    await planUnplanned(api.services);
    now += 3600;
    await planDue(api.services);

    const queues = new Set((await jobs()).map(({ queue_name }) => queue_name));

    expect(queues.size).toBe(new Set(plan.devices.map(({ gateway }) => gateway)).size);
  });

  test("assigns the jobs of a held line to its holder", async () => {
    const db = api.services.database.system;
    await sql`insert into line_holder (line, process_id) select 'tcp:127.0.0.1:' || port, 9 from gateway limit 1`.execute(
      db,
    );
    await planUnplanned(api.services);
    now += 3600;
    await planDue(api.services);

    const tasks = new Set((await jobs()).map(({ task_identifier }) => task_identifier));

    expect(tasks).toEqual(new Set(["line", "line@9"]));
    await sql`delete from line_holder`.execute(db);
  });

  test("skips switched-off devices, without losing their slots", async () => {
    await planUnplanned(api.services);
    await sql`update device set is_active = false where id in (select id from device order by id limit 3)`.execute(
      api.services.database.system,
    );
    now += 3600;
    await planDue(api.services);

    expect(await jobs()).toHaveLength(plan.devices.length - 3);
    expect((await slots()).every((at) => at > now)).toBe(true);
    await sql`update device set is_active = true`.execute(api.services.database.system);
  });

  test("reschedules soon after the clock was set back", async () => {
    await planUnplanned(api.services);
    now += 3600;
    await planDue(api.services);
    now -= 7200;

    await pullSlotsNear(api.services.database.system, now);

    expect((await slots()).every((at) => at >= now && at <= now + 60)).toBe(true);
  });

  test("POLL-020: a running planner notices that the clock was set back, and polls soon instead of hours later", async () => {
    const setBackSec = 5 * 3600;
    await planUnplanned(api.services);
    now += 3600;
    await planDue(api.services);
    const first = Math.min(...(await slots()));
    const stop = startPlanner(api.services);
    try {
      now -= setBackSec;
      expect(first).toBeGreaterThan(now + 4 * 3600);

      await until(async () => (await slots()).every((at) => at <= now + 60));
    } finally {
      await stop();
    }
  });
});

describe("POLL-020: a clock that is set while no process runs", () => {
  const db = () => api.services.database.system;
  const seen = async (): Promise<number | undefined> =>
    (await remembered<{ at: number }>(db(), "clock_seen:polling"))?.at;
  /** A planner has run until now and stopped; every device is planned. */
  const planned = async (): Promise<void> => {
    await planUnplanned(api.services);
    now += 3_600;
    await planDue(api.services);
    await forget(db(), "clock_seen:polling");
    const stop = startPlanner(api.services);
    await until(async () => (await seen()) === now);
    await stop();
    await sql`select graphile_worker.complete_jobs(array(select id from graphile_worker.jobs))`.execute(db());
  };

  test("back by two hours leaves nothing waiting for the former time", async () => {
    await planned();
    await sql`insert into poll_rest (carrier_id, free_at) select min(id), ${now + 40} from gateway
      on conflict (carrier_id) do update set free_at = excluded.free_at`.execute(db());
    await sql`insert into archive_state (device_id, msg_type, asked_to, retry_at, failures, filled_from)
      select min(id), 5, ${now}, ${now + 900}, 1, ${now - 90_000} from device`.execute(db());
    await sql`select graphile_worker.add_job('line', '{}', job_key := 'late', run_at := now() + interval '2 hours')`.execute(
      db(),
    );
    await sql`insert into zone_due (device_id, due_at) select min(id), ${now + 60} from device`.execute(db());
    now -= 7_200;

    const stop = startPlanner(api.services);
    try {
      await until(async () => (await seen()) === now);
    } finally {
      await stop();
    }

    expect((await slots()).filter((at) => at > now + 60)).toEqual([]);
    const { rows } = await sql<{ free: number; asked: number; retry: number; late: number; zone: number }>`
      select (select max(free_at) from poll_rest)::float8 as free, asked_to::float8 as asked, retry_at::float8 as retry,
        (select count(*)::int from graphile_worker.jobs where key = 'late' and run_at > now()) as late,
        (select due_at from zone_due)::float8 as zone
      from archive_state`.execute(db());
    expect(rows).toEqual([{ free: now + 40, asked: now, retry: now + 900, late: 0, zone: now + 60 }]);
    await sql`delete from zone_due`.execute(db());
    await sql`delete from archive_state`.execute(db());
    await sql`delete from poll_rest`.execute(db());
  });

  test("back by two hours lets a serial number be asked for that counts as asked in the future", async () => {
    const { rows } = await sql<{ id: DeviceId }>`select min(id) as id from device`.execute(db());
    const [{ id: deviceId } = { id: 0 as DeviceId }] = rows;
    const askedAt = (at: number) => takeSerialTurn(db(), { deviceId, at, before: at - 86_400 });

    const answers = [await askedAt(now + 7_200), await askedAt(now), await askedAt(now + 1)];

    expect(answers).toEqual([true, true, false]);
  });

  test("ahead by two hours has each device polled once, not once per missed slot", async () => {
    await planned();
    now += 7_200;

    const stop = startPlanner(api.services);
    try {
      await until(async () => (await seen()) === now);
      await until(async () => (await slots()).every((at) => at > now));
    } finally {
      await stop();
    }

    const keys = (await jobs()).map(({ key }) => key);
    expect(keys).toHaveLength(plan.devices.length);
    expect(new Set(keys).size).toBe(plan.devices.length);
  });
});

describe("a dead process", () => {
  test("loses its lines and jobs to living processes", async () => {
    const { database, log } = api.services;
    const db = database.system;
    const alive = await enterPresence(database, log);
    // A killed process left its row, a line, and a started job.
    await sql`insert into process (id, started_at) values (77, 0)`.execute(db);
    await writeProcess(database, 77, ["worker-of-77"]);
    await sql`insert into line_holder (line, process_id) values ('modem:5', 77)`.execute(db);
    await sql`select graphile_worker.add_job('line', '{}', queue_name := 'line:modem:5')`.execute(db);
    await sql`update graphile_worker._private_jobs set locked_by = 'worker-of-77', locked_at = now()`.execute(
      db,
    );
    await sql`update graphile_worker._private_job_queues set locked_by = 'worker-of-77', locked_at = now()
      where queue_name = 'line:modem:5'`.execute(db);

    const gone = await goneProcesses(database);
    await freeProcesses(database, gone);

    expect(gone).toEqual([77]);
    const { rows } = await sql<{ locked: number; held: number }>`
      select (select count(*)::int from graphile_worker.jobs where locked_by is not null) as locked,
        (select count(*)::int from line_holder where process_id = 77) as held`.execute(db);
    expect(rows[0]).toEqual({ locked: 0, held: 0 });
    expect(await goneProcesses(database)).toEqual([]);
    await alive.leave();
  });

  test("does not keep queues locked when its job runner restarts", async () => {
    const { database, log } = api.services;
    const db = database.system;
    const own = await enterPresence(database, log);
    await own.noteWorkers(["former"]);
    const ids: string[] = [];
    for (const line of ["running", "lost"]) {
      const { rows } = await sql<{ id: string }>`
        select id from graphile_worker.add_job('line', '{}', queue_name := ${`line:${line}`})`.execute(db);
      ids.push(rows[0]?.id ?? "");
    }
    await sql`update graphile_worker._private_jobs set locked_by = 'former' where id = any(${ids}::bigint[])`.execute(
      db,
    );
    await sql`update graphile_worker._private_job_queues set locked_by = 'former' where queue_name in ('line:running', 'line:lost')`.execute(
      db,
    );

    await freeOwnWorkers(database, own.id, ids.slice(0, 1));

    const { rows } = await sql<{ line: string; job: string | null; queue: string | null }>`
      select queue_name as line, j.locked_by as job, q.locked_by as queue
      from graphile_worker._private_jobs j join graphile_worker._private_job_queues q on q.id = j.job_queue_id
      where j.id = any(${ids}::bigint[]) order by j.id`.execute(db);
    expect(rows).toEqual([
      { line: "line:running", job: "former", queue: "former" },
      { line: "line:lost", job: null, queue: null },
    ]);
    await sql`select graphile_worker.force_unlock_workers(array['former'])`.execute(db);
    await sql`select graphile_worker.complete_jobs(${ids}::bigint[])`.execute(db);
    await own.leave();
  });

  test("a queue locked without a job is freed, one with a job is not", async () => {
    const { database } = api.services;
    const db = database.system;
    for (const line of ["orphan", "busy"])
      await sql`select graphile_worker.add_job('line', '{}', queue_name := ${`line:${line}`})`.execute(db);
    await sql`update graphile_worker._private_job_queues set locked_by = 'somebody', locked_at = now()
      where queue_name in ('line:orphan', 'line:busy')`.execute(db);
    await sql`update graphile_worker._private_jobs set locked_by = 'somebody', locked_at = now()
      where job_queue_id = (select id from graphile_worker._private_job_queues where queue_name = 'line:busy')`.execute(
      db,
    );

    await freeIdleQueues(database);

    const { rows } = await sql<{ line: string }>`
      select queue_name as line from graphile_worker._private_job_queues where locked_by is not null`.execute(
      db,
    );
    expect(rows).toEqual([{ line: "line:busy" }]);
    await sql`select graphile_worker.force_unlock_workers(array['somebody'])`.execute(db);
    await sql`select graphile_worker.complete_jobs(array(select id from graphile_worker.jobs where queue_name in ('line:orphan', 'line:busy')))`.execute(
      db,
    );
  });

  test("can be freed although others had removed it while its lock was lost", async () => {
    const { database, log } = api.services;
    const db = database.system;
    const alive = await enterPresence(database, log);
    await alive.noteWorkers(["worker-of-this"]);

    await sql`select pg_terminate_backend(pid, 5000) from pg_locks
      where locktype = 'advisory' and granted and objid = ${alive.id} and pid <> pg_backend_pid()
        and database = (select oid from pg_database where datname = current_database())`.execute(db);
    // As a planner elsewhere does.
    expect(await freeProcesses(database, [alive.id])).toEqual([alive.id]);

    const workers = async () =>
      (await sql<{ workers: string[] }>`select workers from process where id = ${alive.id}`.execute(db))
        .rows[0]?.workers;
    await expect.poll(workers, { timeout: 60_000 }).toEqual(["worker-of-this"]);
    await alive.leave();
  });

  test("that has its lock back in time keeps its row and its lines, so that they are freed when it dies", async () => {
    const { database, log } = api.services;
    const db = database.system;
    const back = await enterPresence(database, log);
    await sql`insert into line_holder (line, process_id) values ('modem:9', ${back.id})`.execute(db);

    // A planner elsewhere has found the lock free, and the process was quicker.
    expect(await freeProcesses(database, [back.id])).toEqual([]);

    const { rows } = await sql<{ line: string }>`
      select line from line_holder join process on process.id = process_id where id = ${back.id}`.execute(db);
    expect(rows).toEqual([{ line: "modem:9" }]);
    await back.leave();
    expect(await knownProcesses(db)).not.toContain(back.id);
  });

  test("whose row is gone already loses the lines that it took afterwards", async () => {
    const { database } = api.services;
    await sql`insert into line_holder (line, process_id) values ('modem:8', 88)`.execute(database.system);

    expect(await goneProcesses(database)).toEqual([88]);
    await freeProcesses(database, [88]);

    expect(await goneProcesses(database)).toEqual([]);
  });

  test("CTRL-108 leaves its number to none: the next start has another, and finds released what it held", async () => {
    const { database, log } = api.services;
    const db = database.system;
    const first = await enterPresence(database, log);
    const second = await enterPresence(database, log);
    await first.leave();
    // Killed: its row and a line stay, its lock does not.
    await writeProcess(database, first.id, []);
    await sql`insert into line_holder (line, process_id) values ('modem:6', ${first.id})`.execute(db);

    const third = await enterPresence(database, log);

    expect(new Set([first.id, second.id, third.id]).size).toBe(3);
    const { rows } = await sql<{ id: number }>`
      select process_id as id from line_holder union all select id from process where id = ${first.id}`.execute(
      db,
    );
    expect(rows).toEqual([]);
    await second.leave();
    await third.leave();
  });

  test("leaves no growing list of task names behind", async () => {
    const { database, log } = api.services;
    const db = database.system;
    const own = await enterPresence(database, log);
    await sql`insert into graphile_worker._private_tasks (identifier) values ('line@1'), ('line@' || ${own.id}::int - 3)`.execute(
      db,
    );

    const next = await enterPresence(database, log);

    const { rows } = await sql<{ identifier: string }>`
      select identifier from graphile_worker._private_tasks where identifier like 'line@%'
        and identifier in ('line@1', 'line@' || ${own.id}::int - 3)`.execute(db);
    expect(rows).toEqual([{ identifier: `line@${String(own.id - 3)}` }]);
    await own.leave();
    await next.leave();
  });
});

describe("a modem that was held by a dead process", () => {
  test("POLL-020: polls and requests wait until it has had the time to dial in again", async () => {
    const { database } = api.services;
    const db = database.system;
    const [device] = plan.devices;
    if (!device) throw new Error("empty plan");
    const [id = 0] = await registerPark(database, api.companies.first, {
      baseStations: [],
      gateways: [{ key: "modem", modelId: 601, name: "GW-9", place: "", deviceID: "999999999999999" }],
      devices: [{ ...device, gateway: "modem", deviceID: "behind" }],
    });
    await sql`insert into modem_connection
      (port, identity, profile, state, is_online, process_id, ip_address, connected_at, last_at, gateway_id)
      select 7999, '999999999999999', 'imei', 'live', true, 78, '10.0.0.1', 0, 0, gateway_id from device where id = ${id}`.execute(
      db,
    );
    await freeProcesses(database, [78]);
    const logged = async () =>
      (await sql<{ result: number }>`select result from poll_log where device_id = ${id}`.execute(db)).rows;
    const plannedAt = async () => {
      const { rows } = await sql<{ at: number }>`
        select next_poll_at as at from device_state where device_id = ${id}`.execute(db);
      return rows[0]?.at ?? 0;
    };
    const due = async () => {
      await sql`update device_state set next_poll_at = case when device_id = ${id} then ${now}::bigint else ${now + 9999} end`.execute(
        db,
      );
      await planDue(api.services);
    };
    const token = await api.token("engineer@metrum.example");
    const body = { command_type: "poll" as const, title: "Now", device_ids: [id] };
    const { data: made } = await api.ask(tasks.create, { token, input: { body } });
    const isEnded = async () => {
      await planRequests(api.services);
      const { rows } = await sql<{ ended_at: number | null }>`
        select ended_at from device_task where id = ${made.device_task.id}`.execute(db);
      return rows[0]?.ended_at !== null;
    };

    await due();
    expect(await logged()).toEqual([]);
    expect(await plannedAt()).toBeGreaterThanOrEqual(now + 5);
    expect(await plannedAt()).toBeLessThan(now + 10);
    expect(await isEnded()).toBe(false);

    // By a clock that was ahead: nothing is expected for as long as it was.
    await sql`update modem_connection set released_at = released_at + 7200 where port = 7999`.execute(db);
    now += 61;
    await due();
    expect(await logged()).toEqual([{ result: pollResults.no_line.id }]);
    expect(await isEnded()).toBe(true);

    await sql`update modem_connection set released_at = released_at - 7321 where port = 7999`.execute(db);
    now += 61;
    await due();
    expect(await logged()).toHaveLength(1);
  });
});

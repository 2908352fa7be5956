import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { openTestApi, type TestApi } from "#testing/api";
import { movableClock } from "#testing/clock";
import { until } from "#testing/until";
import { startSchedules, type Moment, type ScheduledWork } from "./runner.ts";
import { scheduleReports } from "./store.ts";

const clock = movableClock();
let api: TestApi;
/** What the clock of the test shows at its start: half past an hour. */
const start = Date.UTC(2026, 5, 1, 10, 30) / 1000;
const set = (to: number): void => {
  clock.ahead += to - clock.now();
};
beforeAll(async () => {
  api = await openTestApi({ clock });
});
beforeEach(async () => {
  await sql`delete from schedule_plan`.execute(api.services.database.system);
  set(start);
});
afterAll(() => api.close());

const hour = 3_600;
const firstAt = start + hour / 2;
const hourly = (run: ScheduledWork["run"]): ScheduledWork => ({
  name: "hourly",
  schedule: { kind: "cron", cron: "0 * * * *", zone: "Etc/UTC" },
  run,
});
interface Run {
  readonly planned_at: number;
  readonly state: string;
  readonly is_late: boolean;
  readonly tries: number;
  readonly error: string | null;
}
const runs = async (): Promise<Run[]> =>
  (
    await sql<Run>`select planned_at, state, is_late, tries, error from schedule_run order by planned_at`.execute(
      api.services.database.system,
    )
  ).rows;
const states = async () =>
  (await runs()).map(({ planned_at, state }) => [(planned_at - firstAt) / hour, state]);
/** Starts once, until the condition holds. */
async function startUntil(work: ScheduledWork, holds: () => Promise<boolean> | boolean): Promise<void> {
  const stop = startSchedules(api.services, [work]);
  await until(async () => holds());
  await stop();
}
const isPlanned = async () =>
  (await sql`select from schedule_plan`.execute(api.services.database.system)).rows.length === 1;
const isEnded = async () => (await runs()).every(({ state }) => state !== "waiting" && state !== "running");

describe("scheduled work", () => {
  test("is done once at each moment, by one of several processes, and never for the time before it was known", async () => {
    const moments: Moment[] = [];
    const work = hourly((_, moment) => {
      moments.push(moment);
      return Promise.resolve();
    });
    await startUntil(work, isPlanned);
    expect(await runs()).toEqual([]);

    set(firstAt + 5);
    const all = [1, 2, 3, 4].map(() => startSchedules(api.services, [work]));
    await until(async () => (await states()).some(([, state]) => state === "done"));
    await Promise.all(all.map((stop) => stop()));

    expect(moments).toEqual([{ plannedAt: firstAt, isLate: false }]);
    expect(await runs()).toEqual([
      { planned_at: firstAt, state: "done", is_late: false, tries: 1, error: null },
    ]);
  });

  test("after an outage the last moment is done late, and those before it are listed as missed, 100 at most", async () => {
    const moments: Moment[] = [];
    const work = hourly((_, moment) => {
      moments.push(moment);
      return Promise.resolve();
    });
    await startUntil(work, isPlanned);

    set(firstAt + 3 * hour + 1_800);
    await startUntil(work, async () => moments.length === 1 && (await isEnded()));
    expect(await states()).toEqual([
      [0, "missed"],
      [1, "missed"],
      [2, "missed"],
      [3, "done"],
    ]);
    expect(moments).toEqual([{ plannedAt: firstAt + 3 * hour, isLate: true }]);

    set(firstAt + 1_000 * hour);
    await startUntil(work, async () => moments.length === 2 && (await isEnded()));
    expect((await runs()).filter(({ state }) => state === "missed")).toHaveLength(103);
    expect(await scheduleReports(api.services.database.system)).toMatchObject([
      { name: "hourly", missed: 103, failed: 0, error: null },
    ]);
  });

  test("of a killed process is done by another one a minute later", async () => {
    let count = 0;
    const work = hourly(() => {
      count += 1;
      return Promise.resolve();
    });
    await startUntil(work, isPlanned);
    set(firstAt + 5);
    await sql`insert into schedule_run (name, planned_at, state, is_late, tries, due_at, leased_until)
      values ('hourly', ${firstAt}, 'running', false, 1, ${firstAt}, ${firstAt + 60})`.execute(
      api.services.database.system,
    );
    await sql`update schedule_plan set planned_to = ${firstAt + 5}`.execute(api.services.database.system);

    const stop = startSchedules(api.services, [work]);
    await stop();
    expect([count, await states()]).toEqual([0, [[0, "running"]]]);
    set(firstAt + 61);
    await startUntil(work, isEnded);

    expect(count).toBe(1);
    expect(await runs()).toMatchObject([{ state: "done", tries: 2, is_late: false }]);
  });

  test("that ends its process in each try is given up, and the next moment is done", async () => {
    let count = 0;
    const work = hourly(() => {
      count += 1;
      return Promise.resolve();
    });
    await startUntil(work, isPlanned);
    await sql`insert into schedule_run (name, planned_at, state, is_late, tries, due_at, leased_until)
      values ('hourly', ${firstAt}, 'running', false, 3, ${firstAt}, ${firstAt + 60})`.execute(
      api.services.database.system,
    );
    await sql`update schedule_plan set planned_to = ${firstAt}`.execute(api.services.database.system);

    set(firstAt + hour + 5);
    await startUntil(work, isEnded);

    expect([count, await states()]).toEqual([
      1,
      [
        [0, "failed"],
        [1, "done"],
      ],
    ]);
  });

  test("that fails is tried three times with pauses, then its error is kept", async () => {
    let count = 0;
    const work = hourly(() => {
      count += 1;
      return Promise.reject(new Error(`no ${String(count)}`));
    });
    await startUntil(work, isPlanned);
    const seen: (readonly [number, number])[] = [];
    for (const seconds of [5, 50, 70, 360, 380, 900]) {
      set(firstAt + seconds);
      const wanted = [5, 70, 380].includes(seconds) ? count + 1 : count;
      await startUntil(
        work,
        async () => count === wanted && (await runs()).every(({ state }) => state !== "running"),
      );
      seen.push([seconds, count]);
    }

    expect(seen).toEqual([
      [5, 1],
      [50, 1],
      [70, 2],
      [360, 2],
      [380, 3],
      [900, 3],
    ]);
    expect(await runs()).toMatchObject([{ state: "failed", tries: 3, error: "no 3" }]);
  });

  test("goes on when the clock was years ahead and is set back", async () => {
    const moments: number[] = [];
    const work = hourly((_, { plannedAt }) => {
      moments.push(plannedAt);
      return Promise.resolve();
    });
    await startUntil(work, isPlanned);
    const ahead = firstAt + 20_000 * hour;
    set(ahead + 5);
    await startUntil(work, async () => moments.length === 1 && (await isEnded()));

    set(firstAt - 60);
    await startUntil(work, async () => (await runs()).length === 0);
    set(firstAt + 5);
    await startUntil(work, async () => moments.length === 2 && (await isEnded()));

    expect(moments).toEqual([ahead, firstAt]);
    expect(await states()).toEqual([[0, "done"]]);
  });

  test("is awaited by a stop, and runs are deleted after 60 days", async () => {
    let isOver = false;
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const work = hourly(async () => {
      await held;
      isOver = true;
    });
    await startUntil(work, isPlanned);
    set(firstAt + 5);
    const stop = startSchedules(api.services, [work]);
    await until(async () => (await states()).some(([, state]) => state === "running"));
    const stopping = stop();
    release();
    await stopping;
    expect([isOver, await states()]).toEqual([true, [[0, "done"]]]);

    const days = 61;
    set(firstAt + days * 24 * hour);
    await startUntil(work, async () => (await states()).at(-1)?.[0] === days * 24 && (await isEnded()));

    expect((await runs()).some(({ planned_at }) => planned_at === firstAt)).toBe(false);
  });

  test("with a schedule that means nothing does not start", () => {
    const wrong: ScheduledWork = {
      ...hourly(() => Promise.resolve()),
      schedule: { kind: "cron", cron: "0 0 31 2 *", zone: "Etc/UTC" },
    };

    expect(() => startSchedules(api.services, [wrong])).toThrow(/no moment/);
  });
});

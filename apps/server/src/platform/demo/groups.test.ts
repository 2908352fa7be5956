import { pollGroups, tasks, taskStates } from "@metrum/contract/headend";
import { demoPlan } from "@metrum/simulator";
import { afterAll, beforeAll, expect, test } from "vitest";
import { accountOf } from "#access/users";
import { openTestApi, type TestApi } from "#testing/api";
import { seedCatalogue } from "./catalogue.ts";
import { seedGroups } from "./groups.ts";
import { seedQuiet } from "./quiet.ts";

let api: TestApi;
beforeAll(async () => {
  api = await openTestApi();
});
afterAll(() => api.close());

test("POLL-015 TASK-011: the demonstration has poll groups at the intervals of their devices, and tasks", async () => {
  const { database, config, secretBox, clock } = api.services;
  const companyId = api.companies.first;
  const now = clock.now();
  await database.system.transaction().execute(async (db) => {
    const devices = await seedCatalogue(db, companyId, demoPlan(), config.deviceHost);
    const unreachable = await seedQuiet({ db, secretBox, companyId, now });
    const engineer = await accountOf(db, "engineer@metrum.example");
    if (!engineer) throw new Error("no engineer");
    await seedGroups({ db, companyId, userId: engineer.id, now }, devices, unreachable);
  });
  const token = await api.token("engineer@metrum.example");

  const groups = await api.ask(pollGroups.list, { token, input: { body: {} } });
  const listed = await api.ask(tasks.list, { token, input: { body: {} } });

  expect(
    groups.data.data.map(({ name, device_count, report_period_update }) => [
      name,
      device_count,
      report_period_update,
    ]),
  ).toEqual([
    ["B23, feeders", 26, 60],
    ["HYDRUS, cold water", 10, 60],
    ["iEM3155, shops", 17, 60],
  ]);
  const made = listed.data.device_tasks.data;
  expect(made.map((task) => [task.title, task.title_en, task.status_id, task.device_count])).toEqual([
    ["Опрос по запросу: B23, feeders", "Poll on request: B23, feeders", taskStates.done.id, 26],
    ["Опрос по запросу", "Poll on request", taskStates.failed.id, 2],
  ]);
  expect(made.map(({ done_count, failed_count }) => [done_count, failed_count])).toEqual([
    [26, 0],
    [0, 2],
  ]);
  expect(made[0]?.poll_group_id).toBe(groups.data.data[0]?.id);
});

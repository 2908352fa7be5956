import { tasks } from "@metrum/contract/headend";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { prepareJobs } from "#headend/dialogue";
import { offerActuator, registerActuator } from "#testing/actuator";
import { openTestApi, type TestApi } from "#testing/api";
import { commandJob } from "./commandJob.ts";
import { commandRound } from "./rounds.ts";

let api: TestApi;
let withdraw: () => void;

beforeAll(async () => {
  withdraw = offerActuator();
  api = await openTestApi();
  await prepareJobs(api.services);
});
afterAll(async () => {
  withdraw();
  await api.close();
});

const planned = async (): Promise<readonly (number | null)[]> => {
  const { rows } = await sql<{ at: number | null }>`
    select planned_at::float8 as at from device_command where state = 'queued'`.execute(
    api.services.database.system,
  );
  return rows.map(({ at }) => at);
};

/** More lines than jobs run at once: none of them may wait for the end of another. */
const lines = 70;

test("CTRL-105 commands of many lines are one job, which leaves what it could not send to be planned again", async () => {
  const { database } = api.services;
  const token = await api.token("engineer@metrum.example");
  const ids: number[] = [];
  for (let at = 0; at < lines; at++) ids.push(await registerActuator(api, { port: 1 }));
  await api.ask(tasks.create, {
    token,
    input: {
      body: { command_type: "control", title: "T", device_ids: ids, management: { relay_state: 1 } },
    },
  });
  await commandRound(api.services);
  await commandRound(api.services);

  const { rows } = await sql<{ payload: { deviceIds: number[] }; queue: string | null }>`
    select payload, queue_name as queue from graphile_worker._private_jobs j
    left join graphile_worker._private_job_queues q on q.id = j.job_queue_id`.execute(database.system);
  expect(rows).toHaveLength(1);
  expect(rows[0]).toMatchObject({ queue: null, payload: { kind: "command" } });
  expect(rows[0]?.payload.deviceIds.toSorted((a, b) => a - b)).toEqual(ids);
  expect((await planned()).every((at) => at !== null)).toBe(true);

  const ending = { isEnding: () => true, processId: () => 1 } as never;
  await commandJob.run(api.services, ending, rows[0]?.payload);
  expect((await planned()).every((at) => at === null)).toBe(true);
});

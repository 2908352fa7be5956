import { tasks } from "@metrum/contract/headend";
import { demoPlan, type Plan } from "@metrum/simulator";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Db } from "#core";
import { prepareJobs } from "#headend/dialogue";
import { openTestApi, type TestApi } from "#testing/api";
import { registerPark } from "#testing/park";
import { until } from "#testing/until";
import { beginItems, endItems, type OpenItem } from "./taskStore.ts";

const demo = demoPlan(2);
const device = demo.devices.find(({ gateway }) =>
  demo.gateways.some(({ key, port }) => key === gateway && port !== undefined),
);
const plan: Plan = { gateways: demo.gateways, baseStations: [], devices: device ? [device] : [] };

let api: TestApi;
let deviceId: number;
beforeAll(async () => {
  api = await openTestApi();
  await prepareJobs(api.services);
  [deviceId = 0] = await registerPark(api.services.database, api.companies.first, plan);
});
afterAll(() => api.close());

const system = () => api.services.database.system;

async function anItem(title: string): Promise<OpenItem> {
  const { data } = await api.ask(tasks.create, {
    token: await api.token("engineer@metrum.example"),
    input: { body: { command_type: "poll", title, device_ids: [deviceId] } },
  });
  return { taskId: data.device_task.id, deviceId };
}

const lock = (db: Db, { taskId }: OpenItem) =>
  sql`select from device_task_item where task_id = ${taskId} for update`.execute(db);

const isWaiting = async (): Promise<boolean> => {
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`.execute(system());
  return (rows[0]?.n ?? 0) > 0;
};

test.each([
  ["begins", (db: Db, items: readonly OpenItem[]) => beginItems(db, items)],
  [
    "ends",
    (db: Db, items: readonly OpenItem[]) =>
      endItems(
        db,
        items.map((item) => ({ ...item, startedMs: 1, result: "ok", message: "" }) as const),
        1,
      ),
  ],
])(
  "items that a batch %s are locked in the order of their keys, so that no two block each other",
  async (what, run) => {
    const [first, second] = [await anItem(`First ${what}`), await anItem(`Second ${what}`)];

    const batch = await system()
      .transaction()
      .execute(async (db) => {
        await lock(db, first);
        const running = system()
          .transaction()
          .execute((other): Promise<unknown> => run(other, [second, first]));
        await until(isWaiting);
        // The batch waits for the first one and has not locked this one yet.
        await lock(db, second);
        return { running };
      });

    await expect(batch.running).resolves.toBeDefined();
  },
);

import { meterModels } from "@metrum/catalogue";
import { lines, pollResults } from "@metrum/contract/headend";
import { gateways } from "@metrum/contract/metering";
import { startPark, wrappedPlan, type Park, type Plan } from "@metrum/simulator";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { prepareJobs, type Dialogue } from "#headend/dialogue";
import { unpackSteps } from "#headend/exchanges";
import { startPlanner } from "../polling/planner.ts";
import type { TestApi } from "#testing/api";
import { openTestDialogue } from "#testing/dialogue";
import { placeConverters, placeKeys, registerPark } from "#testing/park";

const models = meterModels.flatMap(({ id, driver }) => (driver.protocol === "dlms" ? [id] : []));
const plans = models.map((id) => wrappedPlan(id, { port: 0 }));
/** Each on a line of its own. */
const plan: Plan = {
  baseStations: [],
  gateways: plans.flatMap((each, at) =>
    each.gateways.map((one) => ({ ...one, key: `wrapped${String(at)}` })),
  ),
  devices: plans.flatMap((each, at) =>
    each.devices.map((one) => ({ ...one, gateway: `wrapped${String(at)}` })),
  ),
};

let api: TestApi;
let dialogue: Dialogue;
let park: Park;
let token: string;
let ids: number[];
let stopPlanner: () => Promise<void>;
const system = () => api.services.database.system;

beforeAll(async () => {
  ({ api, dialogue } = await openTestDialogue({ env: { METRUM_OUTGOING_HOSTS: "127.0.0.1" } }));
  await prepareJobs(api.services);
  token = await api.token("engineer@metrum.example");
  park = await startPark(plan, { host: "127.0.0.1", ports: { modem: 0 }, faults: { delayMs: [0, 1] } });
  ids = await registerPark(api.services.database, api.companies.first, plan);
  await placeConverters(api.services.database, plan, park);
  await placeKeys(api.services, ids, plan);
  stopPlanner = startPlanner(api.services);
});
afterAll(async () => {
  await stopPlanner();
  await park.stop();
  await dialogue.stop();
  await api.close();
});

describe("DEV-065 a line in the wrapper of TCP", () => {
  test("carries every DLMS model, and the log shows its messages", async () => {
    await sql`update device_state set next_poll_at = ${api.services.clock.now()}`.execute(system());
    const polled = async () =>
      (
        await sql<{ id: number; steps: Buffer; readings: number }>`
          select distinct on (device_id) device_id as id, steps, readings from poll_log
          where result = ${pollResults.ok.id} order by device_id, started_ms`.execute(system())
      ).rows;

    await expect.poll(async () => (await polled()).length).toBe(models.length);

    for (const { steps, readings, id } of await polled()) {
      expect(readings, String(id)).toBeGreaterThan(0);
      for (const { sent, received } of unpackSteps(steps))
        expect([sent.slice(0, 4), received.slice(0, 4)], String(id)).toEqual(["0001", "0001"]);
    }
  });

  test("is a setting of its gateway, which the test of the line follows", async () => {
    const gateway = plan.gateways[0]?.deviceID ?? "";
    const { rows } = await sql<{ id: number }>`select id from gateway where device_id = ${gateway}`.execute(
      system(),
    );
    const id = rows[0]?.id ?? 0;
    const edit = async (dlms_wrapper: boolean) =>
      (await api.ask(gateways.edit, { token, input: { body: { id, dlms_wrapper } } })).data.gateway
        .dlms_wrapper;
    const ask = async () =>
      (
        await api.ask(lines.test, {
          token,
          input: { body: { gateway_id: id, kind: "ask", model_id: models[0] } },
        })
      ).data.test;

    expect([await edit(false), await edit(true)]).toEqual([false, true]);
    const answer = await ask();

    expect(answer).toMatchObject({ result: "ok", model_id: models[0] });
    expect(answer.steps.every(({ sent }) => sent.startsWith("0001"))).toBe(true);
  });
});

import { writeFile } from "node:fs/promises";
import { polling } from "@metrum/contract/headend";
import { demoPlan } from "@metrum/simulator";
import { sql } from "kysely";
import { expect, test } from "vitest";
import { openTestApi } from "#testing/api";
import { aLicence, serverBuild } from "#testing/access/licence";
import { registerPark } from "#testing/park";
import { prepareJobs } from "#headend/dialogue";
import { planDue, planUnplanned } from "./planner.ts";

test("LIC-007 an expired licence never stops scheduled polling: due devices are planned as before", async () => {
  let now = 1_800_000_000;
  const api = await openTestApi({ env: serverBuild, clock: { now: () => now, nowMs: () => now * 1000 } });
  const { system } = api.services.database;
  await prepareJobs(api.services);
  const { gateways, devices } = demoPlan(2);
  const lines = gateways.filter(({ port }) => port !== undefined);
  const due = devices.filter(({ gateway }) => lines.some(({ key }) => key === gateway)).slice(0, 10);
  await registerPark(api.services.database, api.companies.first, {
    gateways: lines,
    baseStations: [],
    devices: due,
  });
  await sql`update gateway set host = '127.0.0.1', port = 20000 + id`.execute(system);
  await writeFile(api.services.config.licenceFile, aLicence({ expires_at: now - 1 }));
  const { rows } = await sql<{ id: number }>`select min(id) as id from device`.execute(system);

  const byHand = await api.ask(polling.run, {
    token: await api.token("engineer@metrum.example"),
    input: { body: { device_id: rows[0]?.id ?? 0, run: true } },
  });
  await planUnplanned(api.services);
  now += 3600;
  const planned = await planDue(api.services);
  await api.close();

  expect(byHand.code).toBe("licence_expired");
  expect(planned).toBe(due.length);
});

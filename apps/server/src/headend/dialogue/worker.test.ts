import { createServer, type AddressInfo, type Socket } from "node:net";
import { demoPlan } from "@metrum/simulator";
import { sql } from "kysely";
import { expect, test } from "vitest";
import { openTestApi } from "#testing/api";
import { registerPark } from "#testing/park";
import { openDialogue } from "#testing/dialogue";

const demo = demoPlan(2);
const gateway = demo.gateways.find(({ port }) => port !== undefined);
const devices = demo.devices.filter((device) => device.gateway === gateway?.key).slice(0, 1);

test("a running job is locked under a name that its process has recorded, so that others can release it", async () => {
  if (!gateway) throw new Error("no converter in the plan");
  const sockets: Socket[] = [];
  const silent = createServer((socket) => sockets.push(socket));
  await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
  const { port } = silent.address() as AddressInfo;
  const api = await openTestApi({ env: { METRUM_MQTT_PORT: "0" } });
  const { database } = api.services;
  const plan = { baseStations: [], gateways: [{ ...gateway, port }], devices };
  const [deviceId = 0] = await registerPark(database, api.companies.first, plan);
  const dialogue = await openDialogue(api.services);

  // A job that ran before the line was open has ended at once; then there is another one.
  const locked = async () => {
    await sql`select graphile_worker.add_job('line', ${JSON.stringify({ kind: "poll", deviceId })}::json,
      job_key => 'once', job_key_mode => 'unsafe_dedupe')`.execute(database.system);
    const { rows } = await sql<{ isNoted: boolean }>`
      select locked_by = any(workers) as "isNoted" from graphile_worker.jobs, process
      where locked_by is not null`.execute(database.system);
    return rows;
  };
  await expect.poll(locked, { timeout: 60_000, interval: 20 }).toEqual([{ isNoted: true }]);

  for (const socket of sockets) socket.destroy();
  await dialogue.stop();
  await api.close();
  silent.close();
});

import { fork, type ChildProcess } from "node:child_process";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { companyById, createCompany, modulesFor } from "../../apps/server/src/access/companies/index.ts";
import { hashPassword } from "../../apps/server/src/access/users/index.ts";
import type { Database } from "../../apps/server/src/core/index.ts";
import { onDatabase } from "../control/controlKillsDatabase.ts";
import type { JoinsResult, JoinsTask } from "./joinsWorker.ts";
import { seedNumbered } from "../failures/killsSeed.ts";
import {
  buildProduct,
  endAll,
  freePort,
  owner,
  startServer,
  type Installation,
} from "../failures/killsServer.ts";
import { signIn } from "../failures/killsSockets.ts";
import { meterProcesses } from "../processUse.ts";
import { atMost, median, percentile, reported, type Bench, type Figure } from "../report.ts";

/** `npm run bench -- joins 30000` joins so often. */
const joins = Number(process.argv[3] ?? 300_000);
const devices = 2_000;
const tied = { email: "tied@metrum.example", devices: 500 } as const;
/** Lists of the other company before and after the joins. */
const quietLists = 200;
const leastLists = 50;
const mostTimes = 2;
const mostGrowthMb = 200;

export const bench: Bench = {
  title: `${joins.toLocaleString("en")} joins of one tied user beside the device list of another company`,
  async run() {
    await buildProduct();
    const dataDir = await mkdtemp(join(tmpdir(), "metrum-joins-"));
    await chmod(dataDir, 0o711);
    const [httpPort = 0, mqttPort = 0, modemPort = 0] = await Promise.all(
      Array.from({ length: 3 }, freePort),
    );
    const at: Installation = { dataDir, isBuilt: true, httpPort, mqttPort, modemPort };
    let server: ChildProcess | undefined;
    try {
      server = await startServer(at);
      const companyId = await onDatabase(at, seed);
      return await measure(at, { server, companyId });
    } finally {
      await endAll(server, at);
      await rm(dataDir, { recursive: true, force: true });
    }
  },
};

/** A company with a list, and another one with a user who is tied to some of its devices. Returns the latter. */
async function seed(database: Database): Promise<number> {
  const { companyId } = await seedNumbered(database, { byMqtt: devices, bySockets: 0 });
  const provider = await companyById(database.system, companyId);
  if (!provider) throw new Error("there is no provider");
  const { id: other } = await createCompany(database.system, provider, {
    name: "Joins",
    timezone: "UTC",
    is_dealer: false,
    active_modules: modulesFor({ isDealer: true }),
  });
  await database.pool.query(
    `with g as (
      insert into access_group (company_id, name, access_rules) values ($1, 'Tied', '{"read": [4, 8]}') returning id
    ), d as (
      insert into device (company_id, model_id, model_title, device_group_id, device_type_id, interface_id, name, "deviceID")
      select $1, model_id, model_title, device_group_id, device_type_id, interface_id, name, "deviceID" from device
      where company_id = $5 order by id limit $4 returning id
    ), u as (
      insert into users (company_id, email, name, password_hash, is_active, language, access_group_id)
      select $1, $2, 'Tied', $3, true, 'en', g.id from g returning id
    )
    insert into device_user (device_id, user_id, company_id) select d.id, u.id, $1 from d, u`,
    [other, tied.email, await hashPassword(owner.password), tied.devices, companyId],
  );
  return other;
}

async function measure(
  { httpPort: port }: Installation,
  { server, companyId }: { readonly server: ChildProcess; readonly companyId: number },
): Promise<Figure[]> {
  const url = `http://127.0.0.1:${String(port)}/api`;
  const list = listing(url, await signIn(url));
  const token = await signIn(url, { email: tied.email, password: owner.password });
  const use = meterProcesses(() => server.pid);
  const times = async (isOver: (count: number) => boolean): Promise<number[]> => {
    const taken: number[] = [];
    while (!isOver(taken.length)) taken.push(await list());
    return taken;
  };
  await times((count) => count === leastLists);
  const before = await times((count) => count === quietLists);
  const quietMb = use().memoryMb;
  const flood = { isOver: false, mostMb: 0 };
  const watch = setInterval(() => (flood.mostMb = Math.max(flood.mostMb, use().memoryMb)), 1_000);
  const began = performance.now();
  const joined = inProcess({ port, token, companyId, joins }).finally(() => (flood.isOver = true));
  const beside = await times((count) => flood.isOver && count >= leastLists);
  const { sent, sockets, refused } = await joined;
  const seconds = (performance.now() - began) / 1000;
  clearInterval(watch);
  const after = await times((count) => count === quietLists);
  const quiet = [...before, ...after];
  return [
    reported("joins", sent, "joins"),
    reported("  over sockets", sockets, ""),
    reported("  of which refused at the handshake", refused, ""),
    reported("  a second", sent / seconds, ""),
    reported("list of another company, alone, p50", median(quiet), "ms"),
    reported("  p99", percentile(quiet, 0.99), "ms"),
    reported("list beside the joins, p50", median(beside), "ms"),
    reported("  p99", percentile(beside, 0.99), "ms"),
    atMost("  p50 beside to alone", median(beside) / median(quiet), "x", mostTimes),
    reported("  p99 beside to alone", percentile(beside, 0.99) / percentile(quiet, 0.99), "x"),
    reported("memory of the product, alone", quietMb, "MiB"),
    atMost("  growth at most, during the joins", flood.mostMb - quietMb, "MiB", mostGrowthMb),
    reported("  growth after them", use().memoryMb - quietMb, "MiB"),
  ];
}

/** One page of the list, and the milliseconds that it took. */
function listing(url: string, token: string): () => Promise<number> {
  return async () => {
    const began = performance.now();
    const answer = await fetch(`${url}/device/metering_devices`, {
      method: "POST",
      headers: { "content-type": "application/json", authorization: `Bearer ${token}` },
      body: "{}",
    });
    await answer.text();
    if (answer.status !== 200) throw new Error(`the list answered ${String(answer.status)}`);
    return performance.now() - began;
  };
}

function inProcess(task: JoinsTask): Promise<JoinsResult> {
  return new Promise((resolve, reject) => {
    const child = fork(join(import.meta.dirname, "joinsWorker.ts"));
    child.once("message", (result: JoinsResult) => resolve(result));
    child.once("error", reject);
    child.once("exit", (code) => (code === 0 ? undefined : reject(new Error("the worker ended"))));
    child.send(task);
  });
}

import { spawn, type ChildProcess } from "node:child_process";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { scalePlan } from "@metrum/simulator";
import type { CompanyId } from "@metrum/vocabulary";
import { openDatabase, type Database } from "../../apps/server/src/core/index.ts";
import { startEmbedded } from "../../apps/server/src/core/database/embedded/index.ts";
import { seedCatalogue } from "../../apps/server/src/platform/demo/catalogue.ts";
import { unpackSteps } from "../../apps/server/src/headend/exchanges/index.ts";
import { nextSlot, phaseOf } from "../../apps/server/src/headend/polling/schedule.ts";
import { setSlots } from "../../apps/server/src/metering/device-state/index.ts";
import { endAll, freePort, postmasterOf, startServer, type Installation } from "../failures/killsServer.ts";
import { meterProcesses, type Use } from "../processUse.ts";
import { atMost, percentile, reported, type Bench, type Figure } from "../report.ts";

/**
 * `npm run bench -- hourly 5000 3600 120`: devices, interval in seconds, minutes. The short form speeds the
 * hour up six times.
 */
const [, , , devicesGiven, intervalGiven, minutesGiven] = process.argv;
const devices = Number(devicesGiven ?? 5000);
const intervalSec = Number(intervalGiven ?? 600);
const minutes = Number(minutesGiven ?? 10);
const cli = join(import.meta.dirname, "../../packages/simulator/src/cli.ts");
const connectMs = 180_000;
const sampleMs = 5_000;
/** A poll counts as missed when it has not succeeded this long after its slot. */
const graceSec = 60;

export const bench: Bench = {
  title: `${String(devices)} modems, one device each, polled every ${String(intervalSec)} s for ${String(minutes)} minutes`,
  async run() {
    const dataDir = await mkdtemp(join(tmpdir(), "metrum-hourly-"));
    await chmod(dataDir, 0o711);
    const [httpPort, mqttPort, modemPort] = await Promise.all([freePort(), freePort(), freePort()]);
    const at: Installation = { dataDir, httpPort, mqttPort, modemPort };
    const held: { server?: ChildProcess; park?: ChildProcess } = {};
    try {
      held.server = await startServer(at);
      const { connection } = await startEmbedded({ dataDir, log: () => undefined });
      const database = openDatabase({ ...connection, max: 2 });
      try {
        await seed(database);
        held.park = startPark(modemPort);
        const connectedSec = await untilConnected(database);
        return await measure({ database, at, connectedSec, held });
      } finally {
        await database.close();
      }
    } finally {
      held.park?.kill("SIGTERM");
      await endAll(held.server, at);
      await rm(dataDir, { recursive: true, force: true });
    }
  },
};

const plan = scalePlan({ count: devices, mix: "modems", seed: 1 });

async function seed(database: Database): Promise<void> {
  const { rows } = await database.pool.query<{ id: CompanyId }>(
    "insert into company (path, name, timezone, active_modules) values ('hourly', 'Hourly', 'Europe/Berlin', '[]') returning id",
  );
  const companyId = rows[0]?.id;
  if (companyId === undefined) throw new Error("the company was not created");
  const planned = { ...plan, devices: plan.devices.map((device) => ({ ...device, intervalSec })) };
  await database.system.transaction().execute((db) => seedCatalogue(db, companyId, planned, "127.0.0.1"));
  // Polling starts when all modems are connected.
  await database.pool.query("update device set is_active = false");
}

function startPark(modemPort: number): ChildProcess {
  const args = ["--count", String(devices), "--mix", "modems", "--modem-port", String(modemPort)];
  return spawn(process.execPath, ["--conditions=source", "--import", "tsx", cli, ...args], {
    stdio: "ignore",
  });
}

async function untilConnected(database: Database): Promise<number> {
  const startMs = performance.now();
  for (;;) {
    const { rows } = await database.pool.query<{ n: number }>(
      "select count(*)::int as n from line_holder where line like 'modem:%'",
    );
    const tookMs = performance.now() - startMs;
    if ((rows[0]?.n ?? 0) >= devices) return tookMs / 1000;
    if (tookMs > connectMs) throw new Error(`only ${String(rows[0]?.n)} modems have connected`);
    await sleep(500);
  }
}

/**
 * Every device gets its regular slot, as after hours of operation; a device without one is polled within half
 * a minute, here all at once.
 */
async function planAll({ pool, system }: Database): Promise<void> {
  const { rows } = await pool.query<{ id: number }>("select id from device");
  const now = Math.ceil(Date.now() / 1000);
  await setSlots(
    system,
    rows.map(({ id }) => ({ id, at: nextSlot({ id, intervalSec, failures: 0 }, now) })),
  );
}

interface Run {
  readonly database: Database;
  readonly at: Installation;
  readonly connectedSec: number;
  readonly held: { readonly server?: ChildProcess; readonly park?: ChildProcess };
}

async function measure({ database, at, connectedSec, held }: Run): Promise<Figure[]> {
  await database.pool.query("update device set is_active = true");
  await planAll(database);
  const meters = {
    server: meterProcesses(() => held.server?.pid),
    postgres: meterProcesses(() => postmasterOf(at)),
    park: meterProcesses(() => held.park?.pid),
  };
  const startMs = Date.now();
  const peaks = { server: 0, postgres: 0, park: 0 };
  const uses: Record<keyof typeof meters, Use> = {
    server: meters.server(),
    postgres: meters.postgres(),
    park: meters.park(),
  };
  const endMs = startMs + minutes * 60_000;
  while (Date.now() < endMs) {
    await sleep(Math.min(sampleMs, Math.max(0, endMs - Date.now())));
    for (const name of ["server", "postgres", "park"] as const) {
      uses[name] = meters[name]();
      peaks[name] = Math.max(peaks[name], uses[name].memoryMb);
    }
  }
  const tookSec = (Date.now() - startMs) / 1000;
  await sleep(graceSec * 1000);
  const polls = await pollsOf(database, {
    from: Math.ceil(startMs / 1000) + 15,
    to: Math.floor(endMs / 1000),
  });
  const share = (use: Use): number => use.cpuSec / tookSec;
  return [
    reported("modems connected after", connectedSec, "s"),
    reported("polls that were due", polls.due, "polls"),
    atMost("missed", polls.missed, "polls", 0),
    reported("  failed", polls.failed, "polls"),
    atMost("lateness p99", percentile(polls.lateSec, 0.99), "s", 30),
    reported("lateness, the most", Math.max(...polls.lateSec), "s"),
    reported("duration p50", percentile(polls.tookMs, 0.5), "ms"),
    reported("  until the last answer on the line, p50", percentile(polls.dialogueMs, 0.5), "ms"),
    reported("  first request on the line, p50", percentile(polls.firstMs, 0.5), "ms"),
    reported("duration p99", percentile(polls.tookMs, 0.99), "ms"),
    reported("of one processor, by the server", share(uses.server), ""),
    reported("of one processor, by PostgreSQL", share(uses.postgres), ""),
    reported("of one processor, by the simulated modems", share(uses.park), ""),
    reported("memory of the server, the most", peaks.server, "MiB"),
    reported("memory of PostgreSQL, the most", peaks.postgres, "MiB"),
    reported("memory of the simulated modems, the most", peaks.park, "MiB"),
  ];
}

/**
 * Result of the slots in a range according to the log. A slot is polled when a successful exchange began at
 * or after it and before the next.
 */
async function pollsOf(database: Database, span: { from: number; to: number }) {
  const { rows: known } = await database.pool.query<{ id: number }>("select id from device");
  const { rows: packed } = await database.pool.query<{
    device_id: number;
    started_ms: number;
    duration_ms: number;
    result: number;
    repeats: number;
    steps: Buffer;
  }>(
    "select device_id, started_ms, duration_ms, result, repeats, steps from poll_log where started_ms >= $1",
    [span.from * 1000],
  );
  const logged = packed.map((row) => {
    const steps = unpackSteps(row.steps);
    return { ...row, first_ms: steps[0]?.at, last_ms: steps.at(-1)?.ended };
  });
  const done = new Map<string, number>();
  const slotOf = (id: number, at: number): number => {
    const phase = phaseOf({ id, intervalSec });
    return Math.floor((at - phase) / intervalSec) * intervalSec + phase;
  };
  for (const { device_id: id, started_ms: startedMs, result } of logged) {
    const key = `${String(id)}:${String(slotOf(id, startedMs / 1000))}`;
    if (result === 0) done.set(key, Math.min(done.get(key) ?? Infinity, startedMs / 1000));
  }
  const lateSec: number[] = [];
  let due = 0;
  for (const { id } of known)
    for (let slot = slotOf(id, span.from - 1) + intervalSec; slot < span.to; slot += intervalSec) {
      due += 1;
      const startedAt = done.get(`${String(id)}:${String(slot)}`);
      if (startedAt !== undefined) lateSec.push(startedAt - slot);
    }
  return {
    due,
    missed: due - lateSec.length,
    failed: logged.reduce((sum, { result, repeats }) => sum + (result === 0 ? 0 : 1 + repeats), 0),
    lateSec,
    firstMs: logged.map(({ first_ms: at }) => at ?? 0),
    dialogueMs: logged.map(({ last_ms: at }) => at ?? 0),
    tookMs: logged.map(({ duration_ms: tookMs }) => tookMs),
  };
}

import type { ChildProcess } from "node:child_process";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { startPark, type Park } from "@metrum/simulator";
import { fatedPlan } from "./boardPlan.ts";
import { openPlatform, type OpenPlatform } from "./boardPlatform.ts";
import { requestAll, taskFigures, untilEnded } from "./boardTasks.ts";
import { boardFigures, clockFigures, valueFigures, type Hour } from "./boardVerdict.ts";
import { createWitness } from "./boardWitness.ts";
import {
  buildProduct,
  endAll,
  freePort,
  killProcesses,
  startServer,
  type Installation,
} from "../failures/killsServer.ts";
import { reported, type Bench, type Figure } from "../report.ts";

/** `npm run bench -- board 100 20 2`: devices, lines, kills. */
const [count = 5_000, lines = 500, kills = 10] = process.argv.slice(3).map(Number);
const few = 500;
const intervalSec = count > few ? 300 : 60;
const rounds = 2;
/** Silent devices of a round come last, as they take longest. */
const graceSec = 45;
const calmMs = count > few ? { least: 3_000, most: 25_000 } : { least: 3_000, most: 12_000 };
const host = "127.0.0.1";

export const bench: Bench = {
  title: `${String(count)} simulated devices behind ${String(lines)} lines, 5 % with faults, two rounds and ${String(kills)} kills of the worker: the completeness board and the tasks against what the simulator did`,
  async run() {
    await buildProduct();
    const dataDir = await mkdtemp(join(tmpdir(), "metrum-board-"));
    await chmod(dataDir, 0o711);
    const [api, worker] = await placesIn(dataDir);
    const held: Held = {};
    try {
      held.api = await startServer(api, "api");
      return await measured(held, api, worker);
    } finally {
      await held.park?.stop();
      await held.platform?.close();
      await endAll(
        [held.worker, held.api].flatMap((each) => each ?? []),
        api,
      );
      await rm(dataDir, { recursive: true, force: true });
    }
  },
};

interface Held {
  api?: ChildProcess;
  worker?: ChildProcess;
  park?: Park;
  platform?: OpenPlatform;
}

async function placesIn(dataDir: string): Promise<readonly [Installation, Installation]> {
  const [httpPort, ...ports] = await Promise.all([
    freePort(),
    freePort(),
    freePort(),
    freePort(),
    freePort(),
  ]);
  const [a, b, c, d] = ports;
  const shared = { dataDir, isBuilt: true, httpPort } as const;
  return [
    { ...shared, mqttPort: a, modemPort: b },
    { ...shared, mqttPort: c, modemPort: d },
  ];
}

async function measured(held: Held, api: Installation, worker: Installation): Promise<Figure[]> {
  const hour = longestHour();
  const plan = fatedPlan({ devices: count, lines, intervalSec });
  const witness = createWitness(plan.devices);
  const dead = new Set(plan.devices.flatMap(({ fate, gateway }) => (fate === "dead" ? [gateway] : [])));
  const park = await startPark(
    {
      ...plan,
      gateways: plan.gateways.filter(({ key }) => !dead.has(key)),
      devices: plan.devices.filter(({ gateway }) => !dead.has(gateway)),
    },
    {
      host,
      ports: { modem: worker.modemPort },
      heartbeatSec: 20,
      utcOffsetSec: hour.utcOffsetSec,
      faults: { split: 0.05, loss: 0.001, wrongCrc: 0.001 },
      onAnswer: witness.onAnswer,
    },
  );
  held.park = park;
  const platform = await openPlatform(api, hour.zone);
  held.platform = platform;
  const devices = await platform.register(plan, park.converters);
  console.log(`  ${String(devices.length)} devices registered`);
  const begunMs = Date.now();
  held.worker = await startServer(worker, "worker,broker");
  const requested = requestAll(platform.ask, devices);
  const killsMs = await killAll(held, worker);
  const made = await requested;
  await untilEnded(platform.database);
  await sleep(Math.max(0, begunMs + (rounds * intervalSec + graceSec) * 1000 - Date.now()));
  if (Date.now() / 1000 >= hour.to)
    throw new Error("the rounds lasted beyond the hour by which they are judged");
  await killProcesses([held.worker]);
  await platform.moveTo(hour.to + 3_601);
  return [
    reported("rounds and kills", (Date.now() - begunMs) / 1000, "s"),
    reported("kills of the worker", killsMs.length, ""),
    ...(await boardFigures(platform.ask, devices, witness, hour)),
    ...(await clockFigures(platform.ask, devices, park.devices, hour)),
    ...(await valueFigures(platform.database, devices, park.devices)),
    reported("tasks", made, ""),
    ...(await taskFigures(platform.database, devices, witness, killsMs)),
  ];
}

/** Kills the worker at random moments and starts it again. Returns when they were. */
async function killAll(held: Held, worker: Installation): Promise<number[]> {
  const killsMs: number[] = [];
  for (let n = 0; n < kills; n++) {
    await sleep(calmMs.least + Math.random() * (calmMs.most - calmMs.least));
    killsMs.push(Date.now());
    await killProcesses([held.worker ?? []].flat());
    const sinceMs = performance.now();
    held.worker = await startServer(worker, "worker,broker");
    console.log(
      `  kill ${String(n + 1)}: ready after ${((performance.now() - sinceMs) / 1000).toFixed(1)} s`,
    );
  }
  return killsMs;
}

/** Zones by the minute of UTC at which their hours begin, and the seconds by which they are ahead. */
const zones = [
  ["UTC", 0, 0],
  ["Asia/Kathmandu", 15, 20_700],
  ["Asia/Kolkata", 30, 19_800],
] as const;

/** The zone whose present hour lasts longest: all rounds are in one, half an hour or more. */
function longestHour(): Hour & { readonly zone: string; readonly utcOffsetSec: number } {
  const now = Math.floor(Date.now() / 1000);
  const [first] = zones
    .map(([zone, minute, utcOffsetSec]) => {
      const from = now - ((now - minute * 60) % 3600);
      return { zone, utcOffsetSec, from, to: from + 3600 };
    })
    .toSorted((a, b) => b.to - a.to);
  if (!first) throw new Error("there is no zone");
  return first;
}

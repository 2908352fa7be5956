import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { createLog } from "../../apps/server/src/core/index.ts";
import { openDialogue } from "../../apps/server/src/testing/dialogue.ts";
import { startCluster } from "../cluster.ts";
import { atLeast, atMost, reported, type Bench } from "../report.ts";
import type { DiallerState, DiallerTask } from "./silentModemsDialler.ts";

/** `npm run bench -- massReconnect 200 3` is a short form: number of modems, seconds of the lock. */
const count = Number(process.argv[3] ?? 2_000);
const lockSec = Number(process.argv[4] ?? 10);
const rounds = 3;
/** Below the 500 new connections a second that the server takes. */
const perSec = 400;
const firstImei = 350_000_000_000_000;
const heldWithinSec = 60;
/** Longer than two reconciliations: held lines stay held. */
const calmSec = 12;

export const bench: Bench = {
  title: `${String(count)} modems that lose their connections at once and dial in again, while the rows of their lines are locked for ${String(lockSec)} s`,
  async run() {
    const cluster = await startCluster();
    const { services } = cluster;
    const { database } = services;
    await seed(cluster.services);
    const dialogue = await openDialogue({
      ...services,
      // At the end 2,000 lines are released to a database that is closing.
      log: createLog("silent"),
      config: {
        ...services.config,
        deviceHost: "127.0.0.1",
        mqttPort: 0,
        modemPorts: [{ port: 0, profile: "imei", options: {} }],
      },
    });
    const observer = database.client();
    await observer.connect();
    const held = async (): Promise<number> => {
      const { rows } = await observer.query<{ n: number }>(
        "select count(*)::int as n from line_holder where line like 'modem:%'",
      );
      return rows[0]?.n ?? 0;
    };
    const task = { port: dialogue.ports.modemPorts[0] ?? 0, count, perSec, first: firstImei };
    let child: ChildProcess | undefined;
    const [waits, unheld, live]: [number[], number[], number[]] = [[], [], []];
    try {
      child = await dialler(task);
      await untilHeld(held);
      for (let round = 0; round < rounds; round++) {
        await observer.query("begin; lock table line_holder in exclusive mode");
        child.kill("SIGKILL");
        child = await dialler(task);
        await sleep(lockSec * 1000);
        await observer.query("commit");
        waits.push(await untilHeld(held));
        await sleep(calmSec * 1000);
        const { opened, closed } = await stateOf(child);
        live.push(opened - closed);
        unheld.push(opened - closed - (await held()));
        console.log(
          `  held again after ${(waits.at(-1) ?? 0).toFixed(1)} s, unheld ${String(unheld.at(-1))}`,
        );
      }
      return [
        atLeast("modems connected, fewest", Math.min(...live), "", count),
        atMost("live modems without their line", Math.max(...unheld), "", 0),
        atMost("lines without a live modem", Math.max(...unheld.map((n) => -n)), "", 0),
        atMost("all lines held after the lock, slowest", Math.max(...waits), "s", heldWithinSec),
        reported("rounds", rounds, ""),
      ];
    } finally {
      child?.kill("SIGKILL");
      await observer.end();
      await dialogue.stop();
      await cluster.stop();
    }
  },
};

type Services = Awaited<ReturnType<typeof startCluster>>["services"];

async function seed({ database }: Services): Promise<void> {
  await database.pool.query(
    `with made as (insert into company (path, name, timezone, active_modules)
        values ('b0'::ltree, 'Bench', 'Europe/Berlin', '[]') returning id)
      insert into gateway (company_id, model_id, interface_id, name, device_id)
      select made.id, 601, 1, 'Modem ' || n, ($1::bigint + n)::text from made, generate_series(0, $2::int - 1) as n`,
    [firstImei, count],
  );
}

/** Seconds until every line is held; gives up after twice the limit. */
async function untilHeld(held: () => Promise<number>): Promise<number> {
  const startedMs = performance.now();
  const seconds = (): number => (performance.now() - startedMs) / 1000;
  while ((await held()) < count && seconds() < 2 * heldWithinSec) await sleep(100);
  return seconds();
}

async function dialler(task: DiallerTask): Promise<ChildProcess> {
  const child = fork(join(import.meta.dirname, "silentModemsDialler.ts"));
  await once(child, "message");
  child.send(task);
  return child;
}

async function stateOf(child: ChildProcess): Promise<DiallerState> {
  child.send("state");
  const [state] = (await once(child, "message")) as [DiallerState];
  return state;
}

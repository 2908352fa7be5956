import { execFile, type ChildProcess } from "node:child_process";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { onDatabase } from "../control/controlKillsDatabase.ts";
import { startPolled, untilPolled, type Polled } from "./killsPolls.ts";
import { seedNumbered } from "./killsSeed.ts";
import {
  buildProduct,
  endAll,
  freePort,
  killProcesses,
  startServer,
  type Installation,
} from "./killsServer.ts";
import { atMost, reported, type Bench, type Figure } from "../report.ts";

const stepSec = 7_200;
/** Clocks of the machine across restarts, seconds ahead: two hours forward, and back. */
const clocks = [0, stepSec, 0] as const;
/** Meters are polled every 5 s; a modem has to dial in again first. */
const polledWithinSec = 60;

export const bench: Bench = {
  title: "the clock of the machine two hours ahead across a restart, and back across the next",
  async run() {
    await buildProduct();
    const dataDir = await mkdtemp(join(tmpdir(), "metrum-clock-"));
    await chmod(dataDir, 0o711);
    const [httpPort = 0, mqttPort = 0, modemPort = 0] = await Promise.all(
      Array.from({ length: 3 }, freePort),
    );
    const at: Installation = { dataDir, isBuilt: true, httpPort, mqttPort, modemPort };
    const held: { server?: ChildProcess; polled?: Polled } = {};
    try {
      const figures: Figure[] = [];
      for (const [n, aheadSec] of clocks.entries()) {
        held.server = await startServer({ ...at, env: aheadBy(aheadSec) });
        const startedMs = Date.now();
        held.polled ??= await onDatabase(at, async (database) => {
          const { companyId } = await seedNumbered(database, { byMqtt: 0, bySockets: 0 });
          return startPolled(database, { companyId, modemPort });
        });
        const name = n === 0 ? "at first" : aheadSec > 0 ? "two hours ahead" : "two hours back";
        figures.push(...(await lookAt(at, held.polled, { name, aheadSec, startedMs })));
        await killProcesses([held.server]);
      }
      return figures;
    } finally {
      await held.polled?.stop();
      await endAll(held.server, at);
      await rm(dataDir, { recursive: true, force: true });
    }
  },
};

/** Preloaded into the server, whose clock is so far ahead of this machine. */
const aheadBy = (sec: number): Record<string, string> =>
  sec === 0
    ? {}
    : {
        NODE_OPTIONS: `--import=${join(import.meta.dirname, "clockAhead.mjs")}`,
        METRUM_BENCH_AHEAD_SEC: String(sec),
      };

interface Seen {
  readonly name: string;
  readonly aheadSec: number;
  readonly startedMs: number;
}

async function lookAt(
  at: Installation,
  polled: Polled,
  { name, aheadSec, startedMs }: Seen,
): Promise<Figure[]> {
  const meters = [...polled.behindConverters, ...polled.behindModems];
  return onDatabase(at, async (database) => {
    await untilPolled(database, meters, startedMs + aheadSec * 1000);
    const polledSec = (Date.now() - startedMs) / 1000;
    const count = async () => {
      const { rows } = await database.pool.query<{ newest: number; slots: number; stored: number }>(
        `select (select count(*)::int from device_latest where ts > $1::bigint) as newest,
          (select count(*)::int from device_state
            where device_id = any($2::int[]) and next_poll_at > $1::bigint + 60) as slots,
          (select count(*)::int from message where ts > $1::bigint) as stored`,
        [Math.floor(Date.now() / 1000) + aheadSec + 60, meters],
      );
      return rows[0] ?? { newest: Number.NaN, slots: Number.NaN, stored: Number.NaN };
    };
    // Each kind of reading takes the place of one that is ahead when it is read next.
    let ahead = await count();
    while (ahead.newest > 0 && Date.now() - startedMs < polledWithinSec * 1000) {
      await sleep(500);
      ahead = await count();
    }
    const trueSec = (Date.now() - startedMs) / 1000;
    console.log(`  ${name}: ${await doctor(at)}`);
    return [
      atMost(`${name}: every meter polled after`, polledSec, "s", polledWithinSec),
      reported("  readings stored that are ahead of the clock", ahead.stored, ""),
      atMost("  newest readings that are ahead of the clock", ahead.newest, "", 0),
      reported("  none is after", trueSec, "s"),
      atMost("  slots of the plan beyond a minute", ahead.slots, "", 0),
    ];
  });
}

/** What `metrum doctor` says of times, by the clock of this machine. */
async function doctor({ dataDir }: Installation): Promise<string> {
  const cli = join(import.meta.dirname, "../../apps/server/dist/cli.js");
  const env = { PATH: process.env["PATH"], METRUM_DATA_DIR: dataDir };
  const { stdout } = await promisify(execFile)(process.execPath, [cli, "doctor"], { env }).catch(
    (error: unknown) => error as { readonly stdout: string },
  );
  return stdout
    .split("\n")
    .filter((line) => /ahead|plan|commands/.test(line))
    .join("; ");
}

import { fork, type ChildProcess } from "node:child_process";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Database } from "../../apps/server/src/core/index.ts";
import { startGuardedMeter, type GuardedMeter } from "./killsMeter.ts";
import type { PollerNews, PollerOrder } from "./killsPoller.ts";
import { atMost, reported, type Figure } from "../report.ts";

/** A meter with invocation counters, and the process that polls it, which dies with every kill. */
export interface Guarded {
  /** Starts the polls, with the present database connection; resolves after the first answered one. */
  readonly start: (connection: PollerOrder["connection"]) => Promise<void>;
  /** Ends the polls without warning. */
  readonly kill: () => void;
  readonly figures: () => readonly Figure[];
  readonly close: () => void;
}

const readyMs = 180_000;

export async function guard(database: Database): Promise<Guarded> {
  const meter = await startGuardedMeter();
  const deviceId = await addMeter(database);
  const counted = { read: 0, refused: 0, away: 0, starts: 0 };
  const last = { message: "" };
  const held: { poller?: ChildProcess | undefined } = {};
  const kill = (): void => {
    held.poller?.kill("SIGKILL");
    held.poller = undefined;
  };
  return {
    async start(connection) {
      kill();
      const before = counted.read;
      const poller = fork(join(import.meta.dirname, "killsPoller.ts"), {
        execArgv: ["--conditions=source", "--import", "tsx"],
      });
      poller.on("message", (news: PollerNews) => {
        counted[news.outcome] += 1;
        last.message = news.message;
        if (news.outcome === "refused") console.log(`  the meter with counters: ${news.message}`);
      });
      poller.send({ connection, deviceId, port: meter.port } satisfies PollerOrder);
      held.poller = poller;
      counted.starts += 1;
      const endMs = performance.now() + readyMs;
      while (counted.read === before) {
        if (performance.now() > endMs)
          throw new Error(`the meter with counters was not read: ${last.message}`);
        await sleep(20);
      }
    },
    kill,
    figures: () => figuresOf(meter, counted),
    close() {
      kill();
      meter.close();
    },
  };
}

function figuresOf(
  meter: GuardedMeter,
  counted: { readonly read: number; readonly refused: number; readonly starts: number },
): Figure[] {
  const { messages, repeated } = meter.heard();
  return [
    reported("polls of a meter with invocation counters", counted.read, "polls"),
    reported("  by so many processes, each killed", counted.starts, ""),
    reported("  messages under keys that it heard", messages, ""),
    atMost("  counters that were not above all before", repeated, "", 0),
    atMost("  refusals", counted.refused, "", 0),
  ];
}

async function addMeter({ pool }: Database): Promise<number> {
  const { rows } = await pool.query<{ id: number }>(
    `insert into device (company_id, model_id, model_title, device_group_id, device_type_id, interface_id, name, "deviceID", is_active)
      select id, 711, 'With counters', 4, 3, 10, 'With counters', '77000001', false from company order by id desc limit 1
      returning id`,
  );
  const id = rows[0]?.id;
  if (id === undefined) throw new Error("there is no company for the meter");
  return id;
}

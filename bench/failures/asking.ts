import { request } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";

/** One request and its outcome; 0: without an answer. Milliseconds of `performance.now`. */
export interface Asked {
  readonly sentMs: number;
  readonly endedMs: number;
  readonly status: number;
}

export interface Asking {
  /** Finished requests sent from this time on. */
  readonly since: (sentMs: number) => readonly Asked[];
  /** Waiting time of the oldest unanswered request. */
  readonly hangsMs: () => number;
  readonly stop: () => void;
}

const pauseMs = 100;
/** Upper limit of a duration; longer ones count as this long. */
const patienceMs = 120_000;

/** Sends the same call ten times a second, whether or not earlier ones have been answered. */
export function askRepeatedly(call: {
  readonly port: number;
  readonly token: string;
  readonly path: string;
}): Asking {
  const ended: Asked[] = [];
  const open = new Set<number>();
  let isStopped = false;
  const ask = async (): Promise<void> => {
    const sentMs = performance.now();
    open.add(sentMs);
    const status = await statusOf(call);
    open.delete(sentMs);
    ended.push({ sentMs, endedMs: performance.now(), status });
  };
  const run = async (): Promise<void> => {
    while (!isStopped) {
      void ask();
      await sleep(pauseMs);
    }
  };
  void run();
  return {
    since: (ms) => ended.filter(({ sentMs }) => sentMs >= ms),
    hangsMs: () => performance.now() - Math.min(performance.now(), ...open),
    stop: () => (isStopped = true),
  };
}

function statusOf({ port, token, path }: Parameters<typeof askRepeatedly>[0]): Promise<number> {
  return new Promise((resolve) => {
    const headers = { "content-type": "application/json", authorization: `Bearer ${token}` };
    const sent = request(
      { host: "127.0.0.1", port, path, method: "POST", headers, agent: false, timeout: patienceMs },
      (response) => {
        response.resume().on("end", () => resolve(response.statusCode ?? 0));
        response.on("error", () => resolve(0));
      },
    );
    sent.on("timeout", () => sent.destroy()).on("error", () => resolve(0));
    sent.end("{}");
  });
}

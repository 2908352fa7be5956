import { fork } from "node:child_process";
import { join } from "node:path";

export interface Load {
  readonly port: number;
  /** Requests to send, repeated in this order. */
  readonly requests: readonly Request[];
  readonly connections: number;
  /** Either a duration, or a number of requests. */
  readonly seconds?: number;
  readonly count?: number;
}

export interface Request {
  readonly method: string;
  readonly path: string;
  readonly token?: string;
  readonly body?: unknown;
}

export interface Measured {
  readonly perSecond: number;
  /** Milliseconds of each answer, by the position of its request. */
  readonly times: readonly (readonly number[])[];
  readonly bytes: number;
}

/** Sends the requests from a child process, so that generating load does not slow the server down. */
export function applyLoad(load: Load): Promise<Measured> {
  return new Promise((resolve, reject) => {
    const worker = fork(join(import.meta.dirname, "loadWorker.ts"), [], {
      serialization: "advanced",
    });
    worker.on("message", (message: Measured | { error: string }) => {
      worker.kill();
      if ("error" in message) reject(new Error(message.error));
      else resolve(message);
    });
    worker.on("error", reject);
    worker.send(load);
  });
}

import { createSocket } from "node:dgram";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { fromHex } from "@metrum/protocols/core";
import { vegaSi11 } from "@metrum/protocols/vega";
import type { Publisher } from "./killsPublisher.ts";
import { datagramAnswer, owner } from "./killsServer.ts";

/** Sends one numbered reading and waits for its acknowledgement; false: none this time. */
type Send = (reading: {
  readonly device: string;
  readonly n: number;
  readonly at: number;
}) => Promise<boolean>;

export interface SocketsOptions {
  readonly devices: readonly string[];
  readonly base: number;
}

const pauseMs = 250;
const answerMs = 5_000;
const driver = vegaSi11();

/** Each device sends its next reading after the acknowledgement of the last, which is repeated until then. */
function publishOneByOne({ devices, base }: SocketsOptions, send: Send): Publisher {
  const acknowledged = new Map(devices.map((device) => [device, new Set<number>()]));
  const counted = { sent: 0, repeated: 0, youngestMs: 0 };
  const stopping = new AbortController();
  const isStopping = (): boolean => stopping.signal.aborted;
  const run = async (device: string): Promise<void> => {
    for (let n = 1; !isStopping(); n++) {
      counted.sent += 1;
      const sentMs = performance.now();
      while (!(await send({ device, n, at: base + n }))) {
        if (isStopping()) return;
        counted.repeated += 1;
        await sleep(pauseMs);
      }
      acknowledged.get(device)?.add(n);
      counted.youngestMs = Math.max(counted.youngestMs, sentMs);
    }
  };
  const runs = devices.map(run);
  return {
    acknowledged,
    sent: () => counted.sent,
    repeated: () => counted.repeated,
    youngestMs: () => counted.youngestMs,
    async stop() {
      stopping.abort();
      await Promise.all(runs);
    },
  };
}

/**
 * Devices that send datagrams. Every reading has its own socket, so that a late answer is not mistaken
 * for that to the next.
 */
export function startDatagrams(port: number, options: SocketsOptions): Publisher {
  return publishOneByOne(options, async ({ device, n, at }) => {
    const address = { insideAddr: "", deviceID: device, impulseWeight: 1, startingValue: 0 };
    const { payload } = driver.encode(address, (field) => (field === "in1" ? n : 0), at);
    const socket = createSocket("udp4");
    socket.on("error", () => undefined);
    try {
      socket.send(Uint8Array.of(...fromHex(device), ...payload), port, "127.0.0.1");
      const answered = once(socket, "message", { signal: AbortSignal.timeout(answerMs) });
      const [answer] = (await answered.catch(() => [undefined])) as [Buffer | undefined];
      return answer?.toString() === datagramAnswer;
    } finally {
      socket.close();
    }
  });
}

/** A system that pushes readings over HTTP; 2xx is the acknowledgement. */
export async function startPushes(port: number, options: SocketsOptions): Promise<Publisher> {
  const url = `http://127.0.0.1:${String(port)}/api`;
  const token = await signIn(url);
  return publishOneByOne(options, async ({ device, n, at }) => {
    const body = { readings: [{ deviceID: device, time: at, values: { in1: n } }] };
    try {
      const response = await fetch(`${url}/push/readings`, {
        method: "POST",
        headers: { "content-type": "application/json", authorization: `Bearer ${token}` },
        body: JSON.stringify(body),
        signal: AbortSignal.timeout(answerMs),
      });
      const { data } = (await response.json()) as { data?: { taken?: number } };
      return response.status === 200 && data?.taken === 1;
    } catch {
      // The server is unavailable: the same reading is pushed again.
      return false;
    }
  });
}

/** A session of an account; default: the first one. */
export async function signIn(
  url: string,
  account: { readonly email: string; readonly password: string } = owner,
): Promise<string> {
  const response = await fetch(`${url}/auth/login`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ ...account, personal_data_access: true }),
  });
  const { data } = (await response.json()) as { data?: { access_token?: string } };
  if (data?.access_token === undefined) throw new Error(`sign-in failed: ${String(response.status)}`);
  return data.access_token;
}

import { setTimeout as sleep } from "node:timers/promises";
import type { Management } from "@metrum/vocabulary";
import type { Controlled, Protocol } from "./controlKillsPark.ts";

/** Answer to a click; `refused` is the code of the problem. */
export interface Clicked {
  readonly taskId: number | undefined;
  readonly refused: string | undefined;
}

const patienceMs = 60_000;
const retryMs = 500;

/**
 * Sends a command as the web app does: with one idempotency key, again until the server answers. Its pace is
 * kept: `control_limit` is tried again as well.
 */
export async function click(
  port: number,
  { id, token }: Pick<Controlled, "id" | "token">,
  management: Management,
  key: string | undefined = crypto.randomUUID(),
): Promise<Clicked> {
  for (;;) {
    const answer = await ask(port, { path: "device/control", token, key, body: { id, management } });
    if (answer && answer.code !== "control_limit")
      return { taskId: answer.data?.device_task?.id, refused: answer.code };
    await sleep(answer ? 5 * retryMs : retryMs);
  }
}

interface Answer {
  readonly code?: string;
  readonly data?: { readonly device_task?: { readonly id: number } };
}

/** Undefined: no answer, or none that says what happened. */
export async function ask(
  port: number,
  { path, token, key, body }: { path: string; token: string; key?: string | undefined; body: object },
): Promise<Answer | undefined> {
  try {
    const response = await fetch(`http://127.0.0.1:${String(port)}/api/${path}`, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        authorization: `Bearer ${token}`,
        ...(key === undefined ? {} : { "idempotency-key": key }),
      },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(patienceMs),
    });
    if (response.status >= 500 || response.status === 429)
      return response.status === 429 ? ((await response.json()) as Answer) : undefined;
    return (await response.json()) as Answer;
  } catch {
    return undefined;
  }
}

const localNow = (): string => new Date().toISOString().slice(0, 19).replace("T", " ");

type Next = (n: number) => Management;

/** Commands of a device in turn; adjacent ones differ, and arguments are not repeated where there are many. */
const turns: Readonly<Record<Protocol, readonly Next[]>> = {
  dlms: [
    () => ({ power: 0 }),
    (n) => ({ limit: 1 + n / 100 }),
    () => ({ power: 1 }),
    (n) => ({ time_correct: 1 + (n % 29) }),
    () => ({ relay_state: 1 }),
  ],
  mercury: [
    () => ({ power: 0 }),
    (n) => ({ limit: 1 + n / 100 }),
    () => ({ power: 1 }),
    (n) => ({ time_correct: 1 + (n % 29) }),
    () => ({ get_datetime: 1 }),
  ],
  modbus: [() => ({ power: 0 }), () => ({ relay_state: 1 }), () => ({ power: 1 })],
  mbus: [() => ({ time_set: localNow() }), () => ({ get_datetime: 1 })],
  vega: [
    (n) => ({ vega_settings: 1, uplink_repeats: 2 + (n % 14) }),
    () => ({ get_settings: 1 }),
    (n) => ({ vega_settings: 1, time_zone: 15 * (1 + (n % 40)) }),
  ],
  milesight: [(n) => ({ report_period: 60 + n, offset: 0 }), () => ({ reset: 1 })],
};

/** The nth command of a device. */
export function nthCommand(protocol: Protocol, n: number): Management {
  const all = turns[protocol];
  return (all[n % all.length] ?? (() => ({})))(n);
}

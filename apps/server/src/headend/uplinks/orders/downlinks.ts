import { checkLoraDown, type LoraDown } from "@metrum/protocols";
import { readUntil, type Services } from "#core";
import { companyPrefix } from "#headend/channels";
import type { AskedDevice } from "#headend/exchanges";
import { takesOrders } from "../read/counters.ts";
import { addOrder, endedChannel, stateOf, type OrderState } from "./orderStore.ts";
import { sessionOf, type NetworkSession } from "../sessionStore.ts";

/**
 * `handed_over`: the network server, or the broker before it, has it; `no_way`: the device has come by no way that takes orders;
 * `no_line`: nobody was connected until it expired; `refused`: the network server does not take it; `unknown`: it was on its way
 * when the connection or process ended, and is not sent again; `waiting`: none of these yet.
 */
export type Sent = "handed_over" | "no_way" | "no_line" | "refused" | "unknown" | "waiting";

/** Pause after which the state of an order is read again without a notification. */
const pauseMs = 500;

export interface Patience {
  /** Seconds after which the order is not sent any more. */
  readonly expiresInSec?: number;
  /** How long the outcome is waited for; the order goes on without us. */
  readonly waitMs?: number;
}

/**
 * Sends bytes to a device through the network server by which it was heard last, from whichever process holds the way to it: a row
 * before it is a byte. What becomes of them later is told by events (queued, sent, acknowledged, failed), which stand in the log
 * beside this order. Nothing is sent twice by itself. Errors: RangeError when port or length are not of LoRaWAN.
 */
export async function sendDownlink(
  services: Services,
  device: AskedDevice,
  down: LoraDown,
  { expiresInSec = 30, waitMs = 5_000 }: Patience = {},
): Promise<Sent> {
  const { database, clock } = services;
  checkLoraDown(down);
  const session = await sessionOf(database.system, device.id);
  if (!session || !takesOrders(session)) return "no_way";
  const id = await addOrder(database.system, {
    ...down,
    deviceId: device.id,
    way: session.way,
    topic: topicOf(session, device.companyId),
    serverId: session.serverId,
    reference: down.reference ?? referenceOf(session.way),
    createdAt: clock.now(),
    expiresAt: clock.now() + expiresInSec,
  });
  if (waitMs === 0) return "waiting";
  const state = await readUntil(services, {
    read: () => stateOf(database.system, id),
    isFinal: (found) => found !== "waiting" && found !== "sending",
    channel: endedChannel,
    payload: String(id),
    waitMs,
    pauseMs,
  });
  return outcomeOf(state ?? "unknown");
}

const topicOf = ({ topic, serverId, webhook }: NetworkSession, companyId: number): string =>
  serverId === null && webhook === null ? companyPrefix(companyId) + topic : topic;

/** ThingPark wants 16 hexadecimal digits. */
const referenceOf = (way: string): string => {
  const uuid = crypto.randomUUID();
  return way === "actility" ? uuid.replaceAll("-", "").slice(0, 16) : uuid;
};

function outcomeOf(state: OrderState): Sent {
  if (state === "sent") return "handed_over";
  return state === "sending" ? "waiting" : state;
}

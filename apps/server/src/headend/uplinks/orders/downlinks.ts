import { checkLoraDown, type LoraDown } from "@metrum/protocols/lorawan";
import { readUntil, type Db, type Services } from "#core";
import { companyPrefix } from "#headend/channels";
import type { AskedDevice } from "#headend/exchanges";
import { takesOrders } from "../read/counters.ts";
import { addOrder, endedChannel, stateOf, type OrderState } from "./orderStore.ts";
import { sessionOf, type NetworkSession } from "../sessionStore.ts";

/**
 * `handed_over`: accepted by the network server, or by the broker in front of it; `no_way`: the device was
 * not received over a transport with downlinks; `no_line`: no receiver was connected before it expired;
 * `refused`: rejected by the network server; `unknown`: it was being sent when the connection or process
 * ended, and is not sent again; `waiting`: none of these yet.
 */
export type Sent = "handed_over" | "no_way" | "no_line" | "refused" | "unknown" | "waiting";

/** Interval of reads of the order's state without a notification. */
const pauseMs = 500;

export interface Patience {
  /** Seconds after which the order expires. */
  readonly expiresInSec?: number;
  /** How long the outcome is awaited; the order continues afterwards. */
  readonly waitMs?: number;
}

/**
 * Sends bytes to a device through the network server that last received it, by the process that holds the
 * transport: the order is a row before it is sent. Later events (queued, sent, acknowledged, failed) are in
 * the log beside this order. Orders are never repeated automatically. Errors: RangeError when port or length
 * are invalid for LoRaWAN.
 */
export async function sendDownlink(
  services: Services,
  device: AskedDevice,
  down: LoraDown,
  { expiresInSec = 30, waitMs = 5_000 }: Patience = {},
): Promise<Sent> {
  const { database, clock } = services;
  const now = clock.now();
  const id = await orderDownlink(database.system, device, down, { now, expiresAt: now + expiresInSec });
  if (id === undefined) return "no_way";
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

interface Ordering {
  readonly now: number;
  readonly expiresAt: number;
  /** For a command that changes the device: not sent while actuation is frozen. */
  readonly changesDevice?: boolean;
}

/**
 * Writes the order for bytes to a device, in the transaction of the caller. Returns its id; undefined: the
 * device was not received over a transport with downlinks. Errors: as `sendDownlink`.
 */
export async function orderDownlink(
  db: Db,
  device: Pick<AskedDevice, "id" | "companyId">,
  down: LoraDown,
  { now, expiresAt, changesDevice = false }: Ordering,
): Promise<number | undefined> {
  checkLoraDown(down);
  const session = await sessionOf(db, device.id);
  if (!session || !takesOrders(session)) return undefined;
  return addOrder(db, {
    ...down,
    deviceId: device.id,
    way: session.way,
    topic: topicOf(session, device.companyId),
    serverId: session.serverId,
    reference: down.reference ?? referenceOf(session.way),
    validUntil: down.validUntil ?? null,
    changesDevice,
    createdAt: now,
    expiresAt,
  });
}

const topicOf = ({ topic, serverId, webhook }: NetworkSession, companyId: number): string =>
  serverId === null && webhook === null ? companyPrefix(companyId) + topic : topic;

/** ThingPark requires 16 hexadecimal digits. */
const referenceOf = (way: string): string => {
  const uuid = crypto.randomUUID();
  return way === "actility" ? uuid.replaceAll("-", "").slice(0, 16) : uuid;
};

function outcomeOf(state: OrderState): Sent {
  if (state === "sent") return "handed_over";
  return state === "sending" ? "waiting" : state;
}

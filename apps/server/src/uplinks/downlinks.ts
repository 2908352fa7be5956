import { toHex, type LoraDown } from "@metrum/protocols";
import type { Database, Services } from "#core";
import { companyPrefix } from "#channels";
import { logExchanges, type AskedDevice } from "#exchanges";
import { stepOf } from "./rows.ts";
import { servers } from "./servers.ts";
import { sessionOf } from "./sessionStore.ts";

/** Publishes to whoever has subscribed; false when nobody can be reached. */
export type Publish = (topic: string, body: string) => Promise<boolean>;

const publishers = new WeakMap<Database, Publish>();

/** Lets this process send orders; the process that holds the broker calls it. Returns the function that takes it back. */
export function publishThrough({ database }: Services, publish: Publish): () => void {
  publishers.set(database, publish);
  return () => publishers.delete(database);
}

/** `handed_over`: the broker has it; `no_way`: the device has never come by MQTT; `no_line`: no broker, or no network server at it. */
export type Sent = "handed_over" | "no_way" | "no_line";

/**
 * Sends bytes to a device through the network server by which it was heard last. What becomes of them is told by later events
 * (queued, sent, acknowledged, failed), which stand in the log of the device beside this order. Nothing is sent twice by
 * itself. Errors: RangeError when port or length are not of LoRaWAN.
 */
export async function sendDownlink(services: Services, device: AskedDevice, down: LoraDown): Promise<Sent> {
  const session = await sessionOf(services.database.system, device.id);
  const server = servers.find(({ name }) => name === session?.way);
  if (!session || session.topic === "" || !server) return "no_way";
  const named = { ...down, reference: down.reference ?? crypto.randomUUID() };
  const publish = publishers.get(services.database);
  const body = server.order(named, device.deviceID);
  const isOut = (await publish?.(companyPrefix(device.companyId) + session.topic, body)) ?? false;
  await noteOrder(services, { device, down: named, way: session.way, isOut });
  return isOut ? "handed_over" : "no_line";
}

interface Order {
  readonly device: AskedDevice;
  readonly down: LoraDown;
  readonly way: string;
  readonly isOut: boolean;
}

async function noteOrder(services: Services, { device, down, way, isOut }: Order): Promise<void> {
  const { database, clock } = services;
  const error = { kind: "no_line", message: "no network server is connected" };
  await logExchanges(database.system, [
    {
      deviceId: device.id,
      startedMs: clock.nowMs(),
      receivedAt: null,
      kind: "downlink",
      result: isOut ? "ok" : "no_line",
      tries: 1,
      durationMs: 0,
      line: way,
      readings: 0,
      message: isOut ? "" : error.message,
      taskId: null,
      steps: [
        {
          ...stepOf(`Downlink, port ${down.fPort}`),
          answered: null,
          sent: toHex(down.payload),
          ...(isOut ? {} : { error }),
        },
      ],
    },
  ]);
}

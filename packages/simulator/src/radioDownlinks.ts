import { ProtocolError, type Airborne, type ReceiveDownlink } from "@metrum/protocols/core";
import type { Meter } from "./meter.ts";
import { networkDownlinks } from "./networkServers.ts";
import type { RadioOptions } from "./radio.ts";

/** The part of an MQTT client that receives. */
export interface DownlinkClient {
  on(event: "connect", run: () => void): unknown;
  on(event: "message", run: (topic: string, body: { toString: () => string }) => void): unknown;
  subscribe(topic: string, options: { qos: 1 }): unknown;
}

/** Downlinks that wait for their devices. */
export interface Waiting {
  /** Hands them to a device that has just sent; its answers. */
  readonly take: (meter: Meter) => readonly Airborne[];
}

/** Collects the downlinks of a network server for its devices. */
export function listenForDownlinks(
  client: DownlinkClient,
  { target, meters, now, obedience }: Pick<RadioOptions, "target" | "meters" | "now" | "obedience">,
): Waiting {
  const { filter, read } = networkDownlinks[target.server ?? "chirpstack"];
  const queues = new Map<string, Airborne[]>();
  const receivers = new Map<string, ReceiveDownlink>();
  for (const { device, model, orders } of meters) {
    const { driver } = model;
    const receive =
      driver.kind === "uplink"
        ? driver.receive?.((order) => orders.take(order, Math.floor(now()), obedience()))
        : undefined;
    if (receive) receivers.set(device.deviceID.toLowerCase(), receive);
  }
  client.on("connect", () => void client.subscribe(filter(target.prefix), { qos: 1 }));
  client.on("message", (topic, body) => {
    for (const { devEui, ...down } of readable(() => read(topic, body.toString())))
      queues.set(devEui, [...(queues.get(devEui) ?? []), down]);
  });
  return {
    take({ device }) {
      const devEui = device.deviceID.toLowerCase();
      const queue = queues.get(devEui) ?? [];
      queues.delete(devEui);
      return queue.flatMap((down) => receivers.get(devEui)?.(down) ?? []);
    },
  };
}

/** A message that is no downlink has none. */
function readable<Item>(read: () => readonly Item[]): readonly Item[] {
  try {
    return read();
  } catch (error) {
    if (error instanceof ProtocolError) return [];
    throw error;
  }
}

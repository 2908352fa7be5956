import type { Domain } from "#core";
import { serveUplinks } from "./calls.ts";
import { settleDeliveries } from "./deliver.ts";

export { deliver, setAside } from "./deliver.ts";
export type { Content, Delivery, NetworkServer, Taken } from "./delivery.ts";
export { sendDownlink, type Sent } from "./downlinks.ts";
export { startNetwork } from "./network.ts";
export { Listens } from "./hearing.ts";
export { startListening } from "./listening.ts";
export { takeMqttMessage } from "./mqtt.ts";
export { takeDatagram } from "./udp.ts";

/** Takes what devices send by themselves, over any way in. */
export const uplinks: Domain = {
  name: "uplinks",
  api: (services) => Promise.resolve(() => settleDeliveries(services)),
  calls: serveUplinks,
  broker: (services) => Promise.resolve(() => settleDeliveries(services)),
};

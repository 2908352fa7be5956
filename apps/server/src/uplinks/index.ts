import type { Domain } from "#core";
import { settleDeliveries } from "./deliver.ts";

export { deliver, setAside } from "./deliver.ts";
export type { Content, Delivery, NetworkServer, Taken } from "./delivery.ts";
export { takeMqttMessage } from "./mqtt.ts";

/** Takes what devices send by themselves, over any way in. */
export const uplinks: Domain = {
  name: "uplinks",
  broker: (services) => Promise.resolve(() => settleDeliveries(services)),
};

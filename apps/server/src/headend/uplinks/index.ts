import type { Domain } from "#core";
import { serveUplinks } from "./calls.ts";
import { settleUplinks } from "./intake.ts";

export { takeUplink, openUplinkIntake, quarantineMessage } from "./intake.ts";
export { previewKept, takeKept } from "./kept.ts";
export type { Content, Uplink, NetworkServer, Taken } from "./uplink.ts";
export { orderDownlink, sendDownlink, type Sent } from "./orders/downlinks.ts";
export { withdrawFrozen } from "./orders/dispatch.ts";
export { newReports, type Order, type OrderState } from "./orders/orderStore.ts";
export { startNetwork } from "./ways/networks/network.ts";
export { cutterOf, Listens } from "./ways/lines/telegrams.ts";
export { startListening } from "./ways/lines/lineListeners.ts";
export { takeMqttMessage } from "./ways/mqttMessages.ts";
export { createSharedNames, takeDatagram } from "./ways/datagrams.ts";

/** Receives uplinks over any transport. */
export const uplinks: Domain = {
  name: "uplinks",
  api: (services) => Promise.resolve(() => settleUplinks(services)),
  calls: serveUplinks,
  broker: (services) => Promise.resolve(() => settleUplinks(services)),
};

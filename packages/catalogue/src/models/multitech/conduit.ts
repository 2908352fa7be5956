import { defineModel } from "../../model.ts";

/** LoRaWAN base station; its packet forwarder connects to the network server, never to this platform. */
export const conduit = defineModel({
  kind: "base_station",
  id: 738,
  brand: "MultiTech",
  title: "Conduit (MTCDT)",
  interfaces: ["LoRaWAN", "Ethernet", "GSM_GPRS"],
});

import { defineModel } from "../../model.ts";

/** LoRaWAN base station; its packet forwarder connects to the network server, never to this platform. */
export const bs12 = defineModel({
  kind: "base_station",
  id: 701,
  brand: "Vega",
  title: "BS-1.2",
  interfaces: ["LoRaWAN", "Ethernet"],
});

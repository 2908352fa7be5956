import { defineModel } from "../../model.ts";

/**
 * LoRaWAN base station for indoor use; its packet forwarder connects to the network server, never to this
 * platform.
 */
export const lps8n = defineModel({
  kind: "base_station",
  id: 739,
  brand: "Dragino",
  title: "LPS8N",
  interfaces: ["LoRaWAN", "Ethernet", "Wi_Fi"],
});

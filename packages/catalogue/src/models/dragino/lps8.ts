import { defineModel } from "../../model.ts";

/** LoRaWAN base station for rooms; its packet forwarder speaks to the network server, never to us. */
export const lps8n = defineModel({
  kind: "base_station",
  id: 739,
  brand: "Dragino",
  title: "LPS8N",
  interfaces: ["LoRaWAN", "Ethernet", "Wi_Fi"],
});

import { defineModel } from "../../model.ts";

const wirnet = {
  kind: "base_station",
  brand: "Kerlink",
  interfaces: ["LoRaWAN", "Ethernet", "GSM_GPRS"],
} as const;

/** LoRaWAN base stations; their packet forwarder connects to the network server, never to this platform. */
export const iFemtoCell = defineModel({
  ...wirnet,
  id: 732,
  title: "Wirnet iFemtoCell",
  interfaces: ["LoRaWAN", "Ethernet", "Wi_Fi"],
});
export const iStation = defineModel({ ...wirnet, id: 733, title: "Wirnet iStation" });

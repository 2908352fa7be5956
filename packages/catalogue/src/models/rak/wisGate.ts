import { defineModel } from "../../model.ts";

const wisGate = {
  kind: "base_station",
  brand: "RAKwireless",
  interfaces: ["LoRaWAN", "Ethernet", "Wi_Fi", "GSM_GPRS"],
} as const;

/** LoRaWAN base stations; their packet forwarder connects to the network server, never to this platform. */
export const rak7268 = defineModel({ ...wisGate, id: 736, title: "WisGate Edge Lite 2 (RAK7268)" });
export const rak7289 = defineModel({ ...wisGate, id: 737, title: "WisGate Edge Pro (RAK7289)" });

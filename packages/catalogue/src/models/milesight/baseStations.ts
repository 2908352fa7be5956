import { defineModel } from "../../model.ts";

const milesight = {
  kind: "base_station",
  brand: "Milesight",
  interfaces: ["LoRaWAN", "Ethernet", "Wi_Fi", "GSM_GPRS"],
} as const;

/** LoRaWAN base stations; their packet forwarder connects to the network server, never to this platform. */
export const ug65 = defineModel({ ...milesight, id: 734, title: "UG65" });
export const ug67 = defineModel({ ...milesight, id: 735, title: "UG67" });

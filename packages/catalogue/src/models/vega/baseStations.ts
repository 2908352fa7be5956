import { defineModel } from "../../model.ts";

const vega = { kind: "base_station", brand: "Vega" } as const;

/** LoRaWAN base stations; their packet forwarder connects to the network server, never to this platform. */
export const bs11 = defineModel({ ...vega, id: 730, title: "BS-1.1", interfaces: ["LoRaWAN", "Ethernet"] });
export const bs22 = defineModel({
  ...vega,
  id: 731,
  title: "BS-2.2",
  interfaces: ["LoRaWAN", "Ethernet", "GSM_GPRS"],
});

import { yobiiqEm4301 } from "@metrum/protocols/lorawan";
import { defineModel } from "../../model.ts";
import { counterTabs } from "../../shapes.ts";

/**
 * Yobiiq EM4301; layout inferred from public examples, no device at hand. Its registers beyond the examples
 * are not read.
 */
export const em4301 = defineModel({
  kind: "meter",
  id: 151,
  evidence: [
    {
      kind: "telegram",
      source: "chirpstack-device-profiles, vendors/yobiiq/codecs/em4301.js (examples), commit 4cf8d34851af",
      compared: "Energy of two tariffs, voltages, currents, frequency and powers of three example payloads",
    },
  ],
  brand: "Yobiiq",
  title: "EM4301",
  resource: "electricity",
  deviceTypeId: 3,
  interfaces: ["LoRaWAN"],
  driver: yobiiqEm4301(),
  fields: [
    ...([
      "tariff1",
      "tariff2",
      "voltage1",
      "voltage2",
      "voltage3",
      "current1",
      "current2",
      "current3",
    ] as const),
    ...(["Frequency", "power_active1", "power_active2", "power_active3"] as const),
  ],
  tabs: counterTabs(["tariff1", "tariff2"]),
  controls: { send_raw_payload: {} },
  samples: [
    {
      of: "uplink",
      fport: 1,
      payload: "0104 0001e240 010c 00000906 0110 000005dc 0123 1387",
      scale: { impulseWeight: 1, startingValue: 0 },
      gives: { tariff1: 123.456, voltage1: 231, current1: 1.5, Frequency: 49.99 },
      source: "constructed by us after the layout of public payload examples, 2026-11",
    },
  ],
});

import { decentlab } from "@metrum/protocols/lorawan";
import { defineModel } from "../../model.ts";
import { counterTabs } from "../../shapes.ts";

const source = "constructed by us after the layout of public payload examples, 2026-11";

const sensor = {
  kind: "meter",
  brand: "Decentlab",
  resource: "sensor",
  deviceTypeId: 20,
  interfaces: ["LoRaWAN"],
  controls: { send_raw_payload: {} },
} as const;
const scale = { impulseWeight: 1, startingValue: 0 };

/**
 * Decentlab sensors of temperature and humidity; layouts inferred from public examples, no device at hand.
 */
export const decentlabRhc = defineModel({
  ...sensor,
  id: 521,
  evidence: [
    {
      kind: "telegram",
      source:
        "chirpstack-device-profiles, vendors/decentlab/codecs/dl-rhc.js (examples), commit 4cf8d34851af",
      compared: "Temperature and humidity of one example payload",
    },
  ],
  title: "DL-RHC",
  driver: decentlab("dl-rhc", {
    air_temperature: { field: "temperature" },
    air_humidity: { field: "Humidity" },
  }),
  fields: ["temperature", "Humidity"],
  tabs: counterTabs(["temperature", "Humidity"]),
  samples: [
    {
      of: "uplink",
      fport: 1,
      payload: "02 0007 0003 0001 0000 1388 7f38 0c1c",
      scale,
      gives: { temperature: -2, Humidity: 50 },
      source,
    },
  ],
});

export const decentlabDs18 = defineModel({
  ...sensor,
  id: 522,
  evidence: [
    {
      kind: "telegram",
      source:
        "chirpstack-device-profiles, vendors/decentlab/codecs/dl-ds18.js (examples), commit 4cf8d34851af",
      compared: "The temperature of one example payload",
    },
  ],
  title: "DL-DS18",
  driver: decentlab("dl-ds18", { temperature: { field: "temperature" } }),
  fields: ["temperature"],
  tabs: counterTabs(["temperature"]),
  samples: [
    {
      of: "uplink",
      fport: 1,
      payload: "02 0007 0003 8148 0c1c",
      scale,
      gives: { temperature: 20.5 },
      source,
    },
  ],
});

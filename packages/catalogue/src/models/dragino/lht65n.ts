import { draginoLht65n } from "@metrum/protocols/lorawan";
import { defineModel } from "../../model.ts";
import { counterTabs } from "../../shapes.ts";

/** Dragino LHT65N; layout inferred from a public example and the manufacturer's manual, no device at hand. */
export const lht65n = defineModel({
  kind: "meter",
  id: 526,
  evidence: [
    {
      kind: "telegram",
      source: "chirpstack-device-profiles, vendors/dragino/codecs/lht65n.js (examples), commit 4cf8d34851af",
      compared: "Temperature and humidity of one example payload",
    },
  ],
  brand: "Dragino",
  title: "LHT65N",
  resource: "sensor",
  deviceTypeId: 20,
  interfaces: ["LoRaWAN"],
  driver: draginoLht65n(),
  fields: ["temperature", "Humidity"],
  tabs: counterTabs(["temperature", "Humidity"]),
  controls: { send_raw_payload: {} },
  samples: [
    {
      of: "uplink",
      fport: 2,
      payload: "cbc6 ff38 01f4 01 7fff 7fff",
      scale: { impulseWeight: 1, startingValue: 0 },
      gives: { temperature: -2, Humidity: 50 },
      source: "constructed by us after the layout of a public payload example, 2026-11",
    },
  ],
});

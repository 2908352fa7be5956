import { milesightEm300 } from "@metrum/protocols/lorawan";
import { defineModel } from "../../model.ts";
import { counterTabs } from "../../shapes.ts";

const em300 = {
  kind: "meter",
  brand: "Milesight",
  resource: "sensor",
  deviceTypeId: 20,
  interfaces: ["LoRaWAN"],
  driver: milesightEm300(),
  fields: ["temperature", "Humidity", "battery"],
  tabs: counterTabs(["temperature", "Humidity"]),
  controls: { send_raw_payload: {}, report_period: { report_period: { max: 64_800 } }, reset: {} },
  samples: [
    {
      of: "uplink",
      fport: 85,
      payload: "01755a 0367cdff 046878",
      scale: { impulseWeight: 1, startingValue: 0 },
      gives: { battery: 90, temperature: -5.1, Humidity: 60 },
      source: "constructed by us after the layout of public payload examples, 2026-11",
    },
  ],
} as const;

/** Milesight EM300 sensors; layout inferred from public examples, no device at hand. */
export const em300Th = defineModel({
  ...em300,
  id: 524,
  title: "EM300-TH",
  evidence: [
    {
      kind: "telegram",
      source:
        "chirpstack-device-profiles, vendors/milesight/codecs/em300-sld-zld.js (examples), commit 4cf8d34851af",
      compared:
        "Battery, temperature and humidity of an example payload of its sister with a leak sensor, which sends the same channels",
    },
  ],
});
export const em300Sld = defineModel({
  ...em300,
  id: 525,
  title: "EM300-SLD/ZLD",
  evidence: [
    {
      kind: "telegram",
      source:
        "chirpstack-device-profiles, vendors/milesight/codecs/em300-sld-zld.js (examples), commit 4cf8d34851af",
      compared: "Battery, temperature and humidity of one example payload",
    },
  ],
});

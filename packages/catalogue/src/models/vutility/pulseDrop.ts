import { vutilityPulseDrop } from "@metrum/protocols/lorawan";
import { defineModel } from "../../model.ts";
import { counterTabs } from "../../shapes.ts";

/** Vutility PulseDrop on a water meter; layout inferred from one public example, no device at hand. */
export const pulseDrop = defineModel({
  kind: "meter",
  id: 333,
  evidence: [
    {
      kind: "telegram",
      source:
        "chirpstack-device-profiles, vendors/vutility/codecs/pulsedrop.js (examples), commit 4cf8d34851af",
      compared: "Pulse counter and temperature of one example payload",
    },
  ],
  brand: "Vutility",
  title: "PulseDrop",
  resource: "water",
  deviceTypeId: 1,
  interfaces: ["LoRaWAN"],
  driver: vutilityPulseDrop(),
  fields: ["in1", "temperature"],
  tabs: counterTabs(["in1"]),
  controls: { send_raw_payload: {} },
  pulses: { capacity: 2 ** 32, main: "in1" },
  samples: [
    {
      of: "uplink",
      fport: 3,
      payload: "1c c5 55 000003e8 00000000",
      scale: { impulseWeight: 0.01, startingValue: 1 },
      gives: { in1: 11, temperature: 0 },
      source: "constructed by us after the layout of a public payload example, 2026-11",
    },
  ],
});

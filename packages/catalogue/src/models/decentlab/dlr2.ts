import { decentlab } from "@metrum/protocols/lorawan";
import { defineModel } from "../../model.ts";
import { counterTabs } from "../../shapes.ts";

const source = "constructed by us after the layout of public payload examples, 2026-11";

/**
 * A Decentlab DL-DLR2 logger with one pulse input; layout inferred from public examples, no device at hand.
 */
const oneInput = {
  kind: "meter",
  brand: "Decentlab",
  interfaces: ["LoRaWAN"],
  driver: decentlab("dl-dlr2-002", { cumulative_pulse_count: { field: "in1", pulses: "main" } }),
  fields: ["in1"],
  tabs: counterTabs(["in1"]),
  controls: { send_raw_payload: {} },
  pulses: { capacity: 2 ** 32, main: "in1" },
  samples: [
    {
      of: "uplink",
      fport: 1,
      payload: "02 0007 0003 0005 0258 2710 0001 0c1c",
      scale: { impulseWeight: 0.001, startingValue: 10 },
      gives: { in1: 85.536 },
      source,
    },
  ],
} as const;

export const dlr2Water = defineModel({
  ...oneInput,
  id: 331,
  evidence: [
    {
      kind: "telegram",
      source:
        "chirpstack-device-profiles, vendors/decentlab/codecs/dl-dlr2-002.js (examples), commit 4cf8d34851af",
      compared: "The pulse counter of one example payload",
    },
  ],
  title: "DL-DLR2-002 (water)",
  resource: "water",
  deviceTypeId: 1,
});

export const dlr2Gas = defineModel({
  ...oneInput,
  id: 421,
  evidence: [
    {
      kind: "telegram",
      source:
        "chirpstack-device-profiles, vendors/decentlab/codecs/dl-dlr2-002.js (examples), commit 4cf8d34851af",
      compared: "The pulse counter of one example payload",
    },
  ],
  title: "DL-DLR2-002 (gas)",
  resource: "gas",
  deviceTypeId: 5,
});

/** The same logger with two inputs. */
export const dlr2TwoInputs = defineModel({
  ...oneInput,
  id: 332,
  evidence: [
    {
      kind: "telegram",
      source:
        "chirpstack-device-profiles, vendors/decentlab/codecs/dl-dlr2-010.js (examples), commit 4cf8d34851af",
      compared: "The pulse counter of the first input of one example payload",
    },
  ],
  title: "DL-DLR2-010",
  resource: "water",
  deviceTypeId: 1,
  driver: decentlab("dl-dlr2-010", {
    ch0_cumulative_pulse_count: { field: "in1", pulses: "main" },
    ch1_cumulative_pulse_count: { field: "in2", pulses: "other" },
  }),
  fields: ["in1", "in2"],
  samples: [
    {
      of: "uplink",
      fport: 1,
      payload: "02 0007 0007 0004 0258 03e8 0000 0000 0258 07d0 0000 0c1c",
      scale: { impulseWeight: 0.01, startingValue: 5 },
      gives: { in1: 15, in2: 20 },
      source,
    },
  ],
});

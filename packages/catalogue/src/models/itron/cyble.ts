import { defineModel } from "../../model.ts";
import { volumeMeter } from "../../shapes.ts";

/**
 * Itron CYBLE M-Bus 1.4 on a water meter. Integers; the number of decimals follows the pulse weight: the code
 * of the answer decides.
 * Records: those of a public telegram of this module, which a test reads. Not yet read from a real one.
 */
export const cybleWater = defineModel({
  ...volumeMeter({
    resource: "water",
    manufacturer: "ACW",
    version: 0x14,
    medium: 7,
    records: [{ code: "0C 78" }, { code: "04 6D" }, { code: "04 14", field: "in1" }],
  }),
  id: 350,
  brand: "Itron",
  title: "CYBLE M-Bus 1.4",
  evidence: [
    {
      kind: "telegram",
      source: "rscada/libmbus, test/test-frames, commit f09d613bf98d (itron_cyble_m-bus_v1.4_water)",
      compared: "Every value of the model in one recorded telegram",
    },
  ],
  samples: [
    {
      of: "now",
      insideAddr: "1",
      deviceID: "12345678",
      exchange: [
        ["1040014116", "e5"],
        ["107b017c16", "682121680801727856341277041407010000000c7878563412046d0029553b0414ee7300006116"],
      ],
      gives: { in1: 296.78 },
      source: "our simulator, 2026-11",
    },
  ],
});

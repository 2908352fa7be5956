import { defineModel } from "../../model.ts";
import { volumeMeter } from "../../shapes.ts";

/**
 * Rossweiner (RAM) Modularis module on a water meter. Integers in litres; volumes of past months follow and
 * are skipped.
 * Records: those of a public telegram of this module, which a test reads. Not yet read from a real one.
 */
export const modularis = defineModel({
  ...volumeMeter({
    resource: "water",
    manufacturer: "RAM",
    version: 0x03,
    medium: 7,
    records: [{ code: "04 13", field: "in1" }, { code: "04 6D" }],
  }),
  id: 351,
  brand: "Rossweiner",
  title: "ETK/ETW Modularis",
  counterCapacity: 100_000,
  evidence: [
    {
      kind: "telegram",
      source: "rscada/libmbus, test/test-frames, commit f09d613bf98d (ram_modularis)",
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
        ["107b017c16", "681b1b68080172785634122d4803070100000004134c870400046d0029553b2716"],
      ],
      gives: { in1: 296.78 },
      source: "our simulator, 2026-11",
    },
  ],
});

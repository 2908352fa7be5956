import { defineModel } from "../../model.ts";
import { volumeMeter } from "../../shapes.ts";

/**
 * Itron BM +m. Integer volume in litres; quantities agree with public telegrams of this meter. Not yet read
 * from a real one.
 */
export const bmPlusM = defineModel({
  ...volumeMeter({
    resource: "water",
    manufacturer: "ACW",
    version: 0x0e,
    medium: 0x16,
    records: [{ code: "0C 78" }, { code: "04 13", field: "in1" }, { code: "04 6D" }],
  }),
  id: 304,
  evidence: [
    {
      kind: "telegram",
      source: "rscada/libmbus, test/test-frames, commit f09d613bf98d (itron_bm_+m)",
      compared: "The total of one recorded telegram",
    },
  ],
  brand: "Itron",
  title: "BM +m",
  counterCapacity: 100_000,
  samples: [
    {
      of: "now",
      insideAddr: "1",
      deviceID: "12345678",
      exchange: [
        ["1040014116", "e5"],
        ["107b017c16", "682121680801727856341277040e16010000000c787856341204134c870400046d0029553bdf16"],
      ],
      gives: { in1: 296.78 },
      source: "our simulator, 2026-11",
    },
  ],
});

import { defineModel } from "../../model.ts";
import { volumeMeter } from "../../shapes.ts";

/**
 * GWF MTKcoder, the dial of a water meter read by its encoder: whole cubic metres.
 * Records: those of a public telegram of this meter, which a test reads. Not yet read from a real meter.
 */
export const mtkCoder = defineModel({
  ...volumeMeter({
    resource: "water",
    manufacturer: "GWF",
    version: 0x35,
    medium: 7,
    records: [{ code: "0C 78" }, { code: "0C 16", field: "in1" }],
  }),
  id: 352,
  brand: "GWF",
  title: "MTKcoder",
  evidence: [
    {
      kind: "telegram",
      source: "rscada/libmbus, test/test-frames, commit f09d613bf98d (GWF-MTKcoder)",
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
        ["107b017c16", "681b1b6808017278563412e61e3507010000000c78785634120c16970200002316"],
      ],
      gives: { in1: 297 },
      source: "our simulator, 2026-11",
    },
  ],
});

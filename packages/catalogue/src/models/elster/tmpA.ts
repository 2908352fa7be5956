import { defineModel } from "../../model.ts";
import { volumeMeter } from "../../shapes.ts";

/**
 * Elster TMP-A. BCD records in litres; the volume of the due date follows and is skipped.
 * Records: those of a public telegram of this meter, which a test reads. Not yet read from a real meter.
 */
export const tmpA = defineModel({
  ...volumeMeter({
    resource: "water",
    manufacturer: "ELS",
    version: 0x02,
    medium: 7,
    records: [{ code: "0C 13", field: "in1" }, { code: "04 6D" }],
  }),
  id: 353,
  brand: "Elster",
  title: "TMP-A",
  counterCapacity: 100_000,
  evidence: [
    {
      kind: "telegram",
      source: "rscada/libmbus, test/test-frames, commit f09d613bf98d (els_tmpa_telegramm1)",
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
        ["107b017c16", "681b1b680801727856341293150207010000000c1380672900046d0029553b9a16"],
      ],
      gives: { in1: 296.78 },
      source: "our simulator, 2026-11",
    },
  ],
});

import { defineModel } from "../../model.ts";
import { volumeMeter } from "../../shapes.ts";

/**
 * Elster (Honeywell) Falcon, the M-Bus module of V200 and V210 meters. BCD records; quantities agree with a
 * public telegram of this module. Not yet read from a real meter.
 */
export const falcon = defineModel({
  ...volumeMeter({
    resource: "water",
    manufacturer: "ELS",
    version: 0x0a,
    medium: 7,
    records: [{ code: "0C 13", field: "in1" }, { code: "04 6D" }, { code: "0A 3B", field: "Q_in" }],
  }),
  id: 303,
  evidence: [
    {
      kind: "telegram",
      source: "rscada/libmbus, test/test-frames, commit f09d613bf98d (els_falcon)",
      compared: "The total of one recorded telegram",
    },
  ],
  brand: "Elster",
  title: "V210 (Falcon M-Bus)",
  counterCapacity: 100_000,
  samples: [
    {
      of: "now",
      insideAddr: "1",
      deviceID: "12345678",
      exchange: [
        ["1040014116", "e5"],
        ["107b017c16", "681f1f680801727856341293150a07010000000c1380672900046d0029553b0a3b84127d16"],
      ],
      gives: { in1: 296.78, Q_in: 1.284 },
      source: "our simulator, 2026-11",
    },
  ],
});

import { defineModel } from "../../model.ts";
import { radioMeter } from "../../shapes.ts";

/**
 * Qundis Q water: standard records, and the same values in the manufacturer's block of walk-by telegrams. Not
 * yet received from a real one.
 */
export const qWaterRadio = defineModel({
  ...radioMeter({
    resource: "water",
    manufacturers: ["QDS", "LSE"],
    version: 0x18,
    medium: 0x07,
    records: [{ code: "0C 13", field: "in1" }, { code: "04 6D" }],
  }),
  id: 366,
  brand: "Qundis",
  title: "Q water 5.5 (wM-Bus)",
  evidence: [
    {
      kind: "telegram",
      source:
        "wmbusmeters/wmbusmeters, drivers/src/qwaterv2.xmq and src/driver_qwater.cc, commit 4dedd717d3af",
      compared: "The total of five recorded telegrams, with standard records and with the block of the maker",
    },
  ],
  samples: [
    {
      of: "uplink",
      fport: 0,
      payload: "1a4493447856341218077ad90000000c1300672900046d0029553b",
      scale: { impulseWeight: 1, startingValue: 0 },
      gives: { in1: 296.7 },
      source: "our encoder, 2026-11",
    },
  ],
});

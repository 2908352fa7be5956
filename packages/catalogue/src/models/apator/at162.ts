import { apator162 } from "@metrum/protocols/wmbus";
import { defineModel } from "../../model.ts";
import { radioMeter } from "../../shapes.ts";

/**
 * Apator AT-WMBUS-16-2: radio module of water meters with proprietary fields, mode 5 with a key or without.
 * Not yet received from a real one.
 */
export const at162Radio = defineModel({
  ...radioMeter({
    resource: "water",
    manufacturers: ["APA"],
    version: 0x05,
    medium: 0x07,
    layout: apator162,
    records: [{ code: "04 13", field: "in1" }],
  }),
  id: 360,
  brand: "Apator",
  title: "AT-WMBUS-16-2 (wM-Bus)",
  evidence: [
    {
      kind: "telegram",
      source: "wmbusmeters/wmbusmeters, drivers/src/apator162.xmq, commit 4dedd717d3af",
      compared: "The total of ten recorded telegrams of eight modules",
    },
  ],
  samples: [
    {
      of: "uplink",
      fport: 0,
      payload: "1d4401067856341205077ad90000000f0000000000000010fc8604000000",
      scale: { impulseWeight: 1, startingValue: 0 },
      gives: { in1: 296.7 },
      source: "our encoder, 2026-11",
    },
  ],
});

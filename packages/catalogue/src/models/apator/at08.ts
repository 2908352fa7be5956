import { apator08 } from "@metrum/protocols/wmbus";
import { defineModel } from "../../model.ts";
import { radioMeter } from "../../shapes.ts";

/**
 * Apator AT-WMBUS-08: radio module of water meters, thirds of a litre; it transmits the medium gas. Not yet
 * received from a real one.
 */
export const at08Radio = defineModel({
  ...radioMeter({
    resource: "water",
    manufacturers: ["APT"],
    version: 0x03,
    medium: 0x03,
    layout: apator08,
    records: [{ code: "04 13", field: "in1" }],
  }),
  id: 361,
  brand: "Apator",
  title: "AT-WMBUS-08 (wM-Bus)",
  evidence: [
    {
      kind: "telegram",
      source: "wmbusmeters/wmbusmeters, drivers/src/apator08.xmq, commit 4dedd717d3af",
      compared: "The total of one recorded telegram",
    },
  ],
  samples: [
    {
      of: "uplink",
      fport: 0,
      payload: "1c441406785634120303a0f4940d000000000000000000000000000000",
      scale: { impulseWeight: 1, startingValue: 0 },
      gives: { in1: 296.7 },
      source: "our encoder, 2026-11",
    },
  ],
});

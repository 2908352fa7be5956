import { gwf } from "@metrum/protocols/wmbus";
import { defineModel } from "../../model.ts";
import { radioMeter } from "../../shapes.ts";

/**
 * GWF radio modules of water meters: standard records, and the manufacturer's error flags and battery behind
 * them. Not yet received from a real one.
 */
export const gwfRadioWater = defineModel({
  ...radioMeter({
    resource: "water",
    manufacturers: ["GWF"],
    version: 0x3c,
    medium: 0x07,
    layout: gwf,
    records: [{ code: "04 13", field: "in1" }],
  }),
  id: 365,
  brand: "GWF",
  title: "RCM water module (wM-Bus)",
  evidence: [
    {
      kind: "telegram",
      source: "wmbusmeters/wmbusmeters, drivers/src/gwfwater.xmq, commit 4dedd717d3af",
      compared: "The total of one recorded telegram",
    },
  ],
  samples: [
    {
      of: "uplink",
      fport: 0,
      payload: "1844e61e785634123c077ad90000000413fc8604000f0100e0",
      scale: { impulseWeight: 1, startingValue: 0 },
      gives: { in1: 296.7 },
      source: "our encoder, 2026-11",
    },
  ],
});

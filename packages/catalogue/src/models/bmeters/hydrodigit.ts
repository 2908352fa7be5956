import { hydrodigit } from "@metrum/protocols/wmbus";
import { defineModel } from "../../model.ts";
import { radioMeter } from "../../shapes.ts";

/**
 * BMeters HYDRODIGIT water meters: standard records, and the manufacturer's data behind them. Not yet
 * received from a real one.
 */
export const hydrodigitRadio = defineModel({
  ...radioMeter({
    resource: "water",
    manufacturers: ["BMT"],
    version: 0x13,
    medium: 0x07,
    layout: hydrodigit,
    records: [{ code: "0C 13", field: "in1" }],
  }),
  id: 364,
  brand: "BMeters",
  title: "HYDRODIGIT (wM-Bus)",
  evidence: [
    {
      kind: "telegram",
      source: "wmbusmeters/wmbusmeters, drivers/src/hydrodigit.xmq, commit 4dedd717d3af",
      compared: "The total of four recorded telegrams, of versions 13 and 17",
    },
  ],
  samples: [
    {
      of: "uplink",
      fport: 0,
      payload: "1b44b4097856341213077ad90000000c13006729000f050000000000",
      scale: { impulseWeight: 1, startingValue: 0 },
      gives: { in1: 296.7 },
      source: "our encoder, 2026-11",
    },
  ],
});

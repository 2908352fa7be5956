import { techemRadio3 } from "@metrum/protocols/wmbus";
import { defineModel } from "../../model.ts";
import { radioMeter } from "../../shapes.ts";

/** Techem radio 3 water meters, in steps of 0.1 m³. Not yet received from a real one. */
export const techemRadio3Water = defineModel({
  ...radioMeter({
    resource: "water",
    manufacturers: ["TCH"],
    version: 0x74,
    medium: 0x62,
    layout: techemRadio3,
    records: [{ code: "04 13", field: "in1" }],
  }),
  id: 363,
  brand: "Techem",
  title: "radio 3 (wM-Bus)",
  evidence: [
    {
      kind: "telegram",
      source: "wmbusmeters/wmbusmeters, drivers/src/mkradio3.xmq, commit 4dedd717d3af",
      compared: "The total of four recorded telegrams of one meter",
    },
  ],
  samples: [
    {
      of: "uplink",
      fport: 0,
      payload:
        "2f446850785634127462a2009f33b1085017e60200000000000000000000000000000000000000000000000000000000",
      scale: { impulseWeight: 1, startingValue: 0 },
      gives: { in1: 296.7 },
      source: "our encoder, 2026-11",
    },
  ],
});

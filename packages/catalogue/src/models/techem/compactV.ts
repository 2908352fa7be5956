import { techemCompactV } from "@metrum/protocols/wmbus";
import { defineModel } from "../../model.ts";
import { radioMeter } from "../../shapes.ts";

/** Techem compact V heat meters, in kWh. Not yet received from a real one. */
export const techemCompactVHeat = defineModel({
  ...radioMeter({
    resource: "heat",
    manufacturers: ["TCH"],
    version: 0x39,
    medium: 0x43,
    layout: techemCompactV,
    records: [{ code: "04 06", field: "tariff1" }],
  }),
  id: 240,
  brand: "Techem",
  title: "compact V (wM-Bus)",
  evidence: [
    {
      kind: "telegram",
      source: "wmbusmeters/wmbusmeters, drivers/src/compact5.xmq, commit 4dedd717d3af",
      compared: "The energy of two recorded telegrams",
    },
  ],
  samples: [
    {
      of: "uplink",
      fport: 0,
      payload:
        "37446850785634123943a2009f33972a0050330e000000000000000000000000000000000000000000000000000000000000000000000000",
      scale: { impulseWeight: 1, startingValue: 0 },
      gives: { tariff1: 12.50043 },
      source: "our encoder, 2026-11",
    },
  ],
});

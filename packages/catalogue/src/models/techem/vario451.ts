import { techemVario451 } from "@metrum/protocols/wmbus";
import { defineModel } from "../../model.ts";
import { radioMeter } from "../../shapes.ts";

/** Techem vario 4 heat meters of type 4.5.1, in MJ. Not yet received from a real one. */
export const techemVario451Heat = defineModel({
  ...radioMeter({
    resource: "heat",
    manufacturers: ["TCH"],
    version: 0x27,
    medium: 0xc3,
    layout: techemVario451,
    records: [{ code: "04 0E", field: "tariff1" }],
  }),
  id: 241,
  brand: "Techem",
  title: "vario 4 Typ 4.5.1 (wM-Bus)",
  evidence: [
    {
      kind: "telegram",
      source: "wmbusmeters/wmbusmeters, drivers/src/vario451.xmq, commit 4dedd717d3af",
      compared: "The energy of one recorded telegram",
    },
  ],
  samples: [
    {
      of: "uplink",
      fport: 0,
      payload:
        "374468507856341227c3a2009f33539950171c33000000000000000000000000000000000000000000000000000000000000000000000000",
      scale: { impulseWeight: 1, startingValue: 0 },
      gives: { tariff1: 12.5 },
      source: "our encoder, 2026-11",
    },
  ],
});

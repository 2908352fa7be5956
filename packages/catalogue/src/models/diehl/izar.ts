import { izar } from "@metrum/protocols/wmbus";
import { defineModel } from "../../model.ts";
import { radioMeter } from "../../shapes.ts";

/**
 * Diehl IZAR radio modules of water meters in the manufacturer's PRIOS telegrams, opened with the public
 * keys, or with the device's own. Not yet received from a real one.
 */
export const izarRadio = defineModel({
  ...radioMeter({
    resource: "water",
    manufacturers: ["DME", "HYD", "SAP"],
    version: 0x48,
    medium: 0x07,
    layout: izar,
    records: [{ code: "04 13", field: "in1" }],
  }),
  id: 362,
  brand: "Diehl",
  title: "IZAR RC / RDC (PRIOS)",
  evidence: [
    {
      kind: "telegram",
      source: "wmbusmeters/wmbusmeters, drivers/src/izarv2.xmq and src/driver_izar.cc, commit 4dedd717d3af",
      compared: "The total of four recorded telegrams of three makers",
    },
  ],
  samples: [
    {
      of: "uplink",
      fport: 0,
      payload: "1944a511480778563412a1011400000e680d174e37650b474573",
      scale: { impulseWeight: 1, startingValue: 0 },
      gives: { in1: 296.7 },
      source: "our encoder, 2026-11",
    },
  ],
});

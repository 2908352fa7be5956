import { defineModel } from "../../model.ts";
import { radioMeter } from "../../shapes.ts";

/**
 * Diehl HYDRUS 2, OMS telegram in security mode 5. Quantities compared with one public telegram of version
 * 70; versions that use PRIOS (CI A2) are a manufacturer-specific layout and are not read.
 * Not yet received from a real one.
 */
export const hydrus2Radio = defineModel({
  ...radioMeter({
    resource: "water",
    manufacturers: ["DME", "HYD"],
    version: 0x70,
    medium: 0x07,
    security: "mode5",
    records: [
      { code: "0C 13", field: "in1" },
      { code: "0B 3B", field: "Q_in" },
      { code: "02 5A", field: "temperature" },
    ],
  }),
  id: 311,
  evidence: [
    {
      kind: "telegram",
      source: "wmbusmeters/wmbusmeters, drivers/src/hydrus.xmq, commit 4dedd717d3af",
      compared: "Total, flow and temperature of one recorded telegram of version 70",
    },
  ],
  brand: "Diehl",
  title: "HYDRUS 2 (wM-Bus)",
  samples: [
    {
      of: "uplink",
      fport: 0,
      payload: "1d44a5117856341270077ad90000000c13806729000b3b841200025a7200",
      scale: { impulseWeight: 1, startingValue: 0 },
      gives: { in1: 296.78, Q_in: 1.284, temperature: 11.4 },
      source: "our encoder, 2026-11",
    },
  ],
});

import { defineModel } from "../../model.ts";
import { radioMeter } from "../../shapes.ts";

/**
 * Sensus iPERL, OMS telegram in security mode 5. Both records compared with one public telegram of version
 * 68. Not yet received from a real one.
 */
export const iperl = defineModel({
  ...radioMeter({
    resource: "water",
    manufacturers: ["SEN"],
    version: 0x68,
    medium: 0x07,
    security: "mode5",
    records: [
      { code: "04 13", field: "in1" },
      { code: "02 3B", field: "Q_in" },
    ],
  }),
  id: 312,
  evidence: [
    {
      kind: "telegram",
      source: "wmbusmeters/wmbusmeters, drivers/src/iperl.xmq, commit 4dedd717d3af",
      compared: "The total of one recorded telegram",
    },
  ],
  brand: "Sensus",
  title: "iPERL (wM-Bus)",
  samples: [
    {
      of: "uplink",
      fport: 0,
      payload: "1844ae4c7856341268077ad900000004134c870400023b0405",
      scale: { impulseWeight: 1, startingValue: 0 },
      gives: { in1: 296.78, Q_in: 1.284 },
      source: "our encoder, 2026-11",
    },
  ],
});

import { defineModel } from "../../model.ts";
import { radioMeter } from "../../shapes.ts";

/**
 * Zenner and Minol water meters with OMS telegrams (maker word ZRI). Total, date and error flags compared
 * with two public telegrams of versions 0 and 1; the monthly values of their profile are decoded, but not
 * stored.
 * Not yet received from a real one.
 */
export const zennerWaterRadio = defineModel({
  ...radioMeter({
    resource: "water",
    manufacturers: ["ZRI"],
    version: 0x00,
    medium: 0x07,
    security: "mode5",
    records: [{ code: "0C 13", field: "in1" }, { code: "02 6C" }, { code: "02 FD 17" }],
  }),
  id: 314,
  evidence: [
    {
      kind: "telegram",
      source: "wmbusmeters/wmbusmeters, drivers/src/minomess.xmq, commit 4dedd717d3af",
      compared: "The total of one recorded telegram",
    },
  ],
  brand: "Zenner",
  title: "Minomess / EDC (wM-Bus)",
  samples: [
    {
      of: "uplink",
      fport: 0,
      payload: "1d44496a7856341200077ad90000000c1380672900026c553b02fd170000",
      scale: { impulseWeight: 1, startingValue: 0 },
      gives: { in1: 296.78 },
      source: "our encoder, 2026-11",
    },
  ],
});

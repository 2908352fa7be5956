import { defineModel } from "../../model.ts";
import { radioMeter } from "../../shapes.ts";

/**
 * Itron Cyble with OMS telegrams (security mode 5). Total and clock compared with two public telegrams of
 * versions 0 and 3. EverBlu and the older Cyble telegrams are manufacturer-specific and are not read.
 * Not yet received from a real one.
 */
export const cybleOms = defineModel({
  ...radioMeter({
    resource: "water",
    manufacturers: ["ITW", "ITR"],
    version: 0x00,
    medium: 0x07,
    security: "mode5",
    records: [{ code: "04 13", field: "in1" }, { code: "06 6D" }],
  }),
  id: 313,
  evidence: [
    {
      kind: "telegram",
      source: "wmbusmeters/wmbusmeters, drivers/src/itron.xmq, commit 4dedd717d3af",
      compared: "The total of two recorded telegrams, of versions 0 and 3",
    },
  ],
  brand: "Itron",
  title: "Cyble OMS (wM-Bus)",
  samples: [
    {
      of: "uplink",
      fport: 0,
      payload: "1c4497267856341200077ad900000004134c870400066d000009553b00",
      scale: { impulseWeight: 1, startingValue: 0 },
      gives: { in1: 296.78 },
      source: "our encoder, 2026-11",
    },
  ],
});

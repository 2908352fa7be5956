import { defineModel } from "../../model.ts";
import { radioMeter } from "../../shapes.ts";

/**
 * Kamstrup MULTICAL 21 and flowIQ 2200, wireless M-Bus C1 with the extended link layer. Compared with public
 * full and compact telegrams of versions 1B and 3A: the total and the format of compact frames agree.
 * Configurations with other formats are read from their full frames only. Not yet received from a real one.
 */
export const multical21Radio = defineModel({
  ...radioMeter({
    resource: "water",
    manufacturers: ["KAM", "KAW"],
    version: 0x1b,
    medium: 0x16,
    security: "extended",
    records: [{ code: "02 FF 20" }, { code: "04 13", field: "in1" }],
    formats: ["02FF20 0413 92013B A1015B 8101E7FF0F"],
  }),
  id: 310,
  evidence: [
    {
      kind: "telegram",
      source: "wmbusmeters/wmbusmeters, drivers/src/kamwater.xmq, commit 4dedd717d3af",
      compared: "The total of a full and a compact telegram of version 1B, and of a full one of version 3A",
    },
  ],
  brand: "Kamstrup",
  title: "MULTICAL 21 / flowIQ 2200 (wM-Bus)",
  samples: [
    {
      of: "uplink",
      fport: 0,
      payload: "19442d2c785634121b167ad900000002ff20000004134c870400",
      scale: { impulseWeight: 1, startingValue: 0 },
      gives: { in1: 296.78 },
      source: "our encoder, 2026-11",
    },
  ],
});

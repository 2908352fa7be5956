import { bfw240 } from "@metrum/protocols/wmbus";
import { defineModel } from "../../model.ts";
import { heatAllocator } from "../../shapes.ts";

/**
 * BFW 240 radio heat cost allocators: a manufacturer-specific layout in the place of records. Not yet
 * received from a real one.
 */
export const bfw240Radio = defineModel({
  ...heatAllocator({
    manufacturers: ["BFW"],
    version: 0x02,
    medium: 0x08,
    layout: bfw240,
    records: [
      { code: "03 6E", field: "hca" },
      { code: "43 6E", field: "hca_last" },
    ],
  }),
  id: 252,
  brand: "BFW",
  title: "240 radio (wM-Bus)",
  evidence: [
    {
      kind: "telegram",
      source: "wmbusmeters/wmbusmeters, drivers/src/bfw240radio.xmq, commit 4dedd717d3af",
      compared: "Units of both periods of four recorded telegrams of two allocators",
    },
  ],
  samples: [
    {
      of: "uplink",
      fport: 0,
      payload:
        "3644d7087856341202087ad90000002f2f001f040200830000000000000000000000000000000000000000000000000000000000211126",
      scale: { impulseWeight: 1, startingValue: 0 },
      gives: { hca: 131, hca_last: 1026 },
      source: "our encoder, 2026-11",
    },
  ],
});

import { defineModel } from "../../model.ts";
import { heatAllocator } from "../../shapes.ts";

/** Qundis Q caloric heat cost allocators. Not yet received from a real one. */
export const qCaloricRadio = defineModel({
  ...heatAllocator({
    manufacturers: ["QDS", "LSE"],
    version: 0x34,
    medium: 0x08,
    records: [{ code: "0B 6E", field: "hca" }, { code: "4B 6E", field: "hca_last" }, { code: "04 6D" }],
  }),
  id: 251,
  brand: "Qundis",
  title: "Q caloric 5 (wM-Bus)",
  evidence: [
    {
      kind: "telegram",
      source: "wmbusmeters/wmbusmeters, drivers/src/qcaloric.xmq, commit 4dedd717d3af",
      compared: "Units of both periods of two recorded telegrams, of versions 18 and 34",
    },
  ],
  samples: [
    {
      of: "uplink",
      fport: 0,
      payload: "1e4493447856341234087ad90000000b6e3101004b6e261000046d0029553b",
      scale: { impulseWeight: 1, startingValue: 0 },
      gives: { hca: 131, hca_last: 1026 },
      source: "our encoder, 2026-11",
    },
  ],
});

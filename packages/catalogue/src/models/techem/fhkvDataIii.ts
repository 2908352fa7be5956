import { techemAllocator } from "@metrum/protocols/wmbus";
import { defineModel } from "../../model.ts";
import { heatAllocator } from "../../shapes.ts";

/**
 * Techem FHKV data III heat cost allocators with a sensor of the room and one of the radiator. Not yet
 * received from a real one.
 */
export const techemFhkvDataIii = defineModel({
  ...heatAllocator({
    manufacturers: ["TCH"],
    version: 0x69,
    medium: 0x80,
    layout: techemAllocator,
    records: [
      { code: "03 6E", field: "hca" },
      { code: "43 6E", field: "hca_last" },
      { code: "02 65", field: "temperature" },
    ],
  }),
  id: 250,
  brand: "Techem",
  title: "FHKV data III (wM-Bus)",
  evidence: [
    {
      kind: "telegram",
      source: "wmbusmeters/wmbusmeters, drivers/src/fhkvdataiii.xmq, commit 4dedd717d3af",
      compared:
        "Units of both periods and the temperature of the room of two recorded telegrams, of versions 69 and 94",
    },
  ],
  samples: [
    {
      of: "uplink",
      fport: 0,
      payload:
        "32446850785634126980a0119f33020450178300c0080000000000000000000000000000000000000000000000000000000000",
      scale: { impulseWeight: 1, startingValue: 0 },
      gives: { hca: 131, hca_last: 1026, temperature: 22.4 },
      source: "our encoder, 2026-11",
    },
  ],
});

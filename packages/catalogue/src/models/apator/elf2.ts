import { defineModel } from "../../model.ts";
import { radioMeter } from "../../shapes.ts";

/**
 * Apator ELF 2, heat and cooling, security mode 5. Quantities compared with one public encrypted telegram of
 * version 42; its cooling energy is a record of tariff or subunit and is not among the fields here.
 * Not yet received from a real one.
 */
export const elf2 = defineModel({
  ...radioMeter({
    resource: "heat",
    manufacturers: ["APA"],
    version: 0x42,
    medium: 0x0d,
    security: "mode5",
    records: [
      { code: "0C 06", field: "tariff1" },
      { code: "0C 13", field: "V_in" },
      { code: "0B 3B", field: "Q_in" },
    ],
  }),
  id: 211,
  evidence: [
    {
      kind: "telegram",
      source: "wmbusmeters/wmbusmeters, drivers/src/elf2.xmq, commit 4dedd717d3af",
      compared: "Energy, volume and flow of one recorded telegram, opened with its key",
    },
  ],
  brand: "Apator",
  title: "ELF 2 (wM-Bus)",
  samples: [
    {
      of: "uplink",
      fport: 0,
      payload: "1f44010678563412420d7ad90000000c06384501000c13202143000b3b841200",
      scale: { impulseWeight: 1, startingValue: 0 },
      gives: { tariff1: 12.50043, V_in: 432.12, Q_in: 1.284 },
      source: "our encoder, 2026-11",
    },
  ],
});

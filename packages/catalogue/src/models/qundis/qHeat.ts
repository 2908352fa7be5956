import { defineModel } from "../../model.ts";
import { radioMeter } from "../../shapes.ts";

/**
 * Qundis Q heat: standard records, and the same values in the manufacturer's block of walk-by telegrams. Not
 * yet received from a real one.
 */
export const qHeatRadio = defineModel({
  ...radioMeter({
    resource: "heat",
    manufacturers: ["QDS", "LSE"],
    version: 0x23,
    medium: 0x04,
    records: [{ code: "0C 05", field: "tariff1" }, { code: "04 6D" }],
  }),
  id: 242,
  brand: "Qundis",
  title: "Q heat 5 (wM-Bus)",
  evidence: [
    {
      kind: "telegram",
      source: "wmbusmeters/wmbusmeters, drivers/src/qheatv2.xmq and src/driver_qheat.cc, commit 4dedd717d3af",
      compared: "The energy of two recorded telegrams, with standard records and with the block of the maker",
    },
  ],
  samples: [
    {
      of: "uplink",
      fport: 0,
      payload: "1a4493447856341223047ad90000000c0575531400046d0029553b",
      scale: { impulseWeight: 1, startingValue: 0 },
      gives: { tariff1: 12.5 },
      source: "our encoder, 2026-11",
    },
  ],
});

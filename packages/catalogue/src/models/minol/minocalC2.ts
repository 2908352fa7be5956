import { defineModel } from "../../model.ts";
import { heatMeter } from "../../shapes.ts";

/**
 * Minol Minocal C2. Integers, low byte first. Energies of past months follow in the telegram and are skipped.
 * Records: those of a public telegram of this meter, which a test reads. Not yet read from a real meter.
 */
export const minocalC2 = defineModel({
  ...heatMeter({
    manufacturer: "ZRM",
    version: 0x81,
    medium: 4,
    records: [
      { code: "04 06", field: "tariff1" },
      { code: "04 13", field: "V_in" },
      { code: "04 3B", field: "Q_in" },
      { code: "04 2D", field: "heat_power" },
      { code: "02 59", field: "T_in" },
      { code: "02 5D", field: "T_out" },
      { code: "04 6D" },
    ],
  }),
  id: 234,
  brand: "Minol",
  title: "Minocal C2",
  evidence: [
    {
      kind: "telegram",
      source: "rscada/libmbus, test/test-frames, commit f09d613bf98d (ZRM_Minol-Minocal-C2)",
      compared: "Every value of the model in one recorded telegram",
    },
  ],
  samples: [
    {
      of: "now",
      insideAddr: "1",
      deviceID: "12345678",
      exchange: [
        ["1040014116", "e5"],
        [
          "107b017c16",
          "68353568080172785634124d6a8104010000000406e5b302000413e2ef4100043b04050000042d600200000259cc1f025d8c14046d0029553be316",
        ],
      ],
      gives: {
        tariff1: 152.300086,
        V_in: 4321.25,
        Q_in: 1.284,
        heat_power: 0.052279,
        T_in: 81.4,
        T_out: 52.6,
      },
      source: "our simulator, 2026-11",
    },
  ],
});

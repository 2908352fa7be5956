import { defineModel } from "../../model.ts";
import { heatMeter } from "../../shapes.ts";

/**
 * Allmess Megacontrol CF-50. Energy as an integer in 10 kWh, the rest BCD.
 * Records: those of a public telegram of this meter, which a test reads. Not yet read from a real meter.
 */
export const cf50 = defineModel({
  ...heatMeter({
    manufacturer: "SLB",
    version: 0x02,
    medium: 4,
    records: [
      { code: "04 07", field: "tariff1" },
      { code: "0C 15", field: "V_in" },
      { code: "0B 2E", field: "heat_power" },
      { code: "0B 3B", field: "Q_in" },
      { code: "0A 5A", field: "T_in" },
      { code: "0A 5E", field: "T_out" },
      { code: "0B 61", field: "T_delta" },
    ],
  }),
  id: 235,
  brand: "Allmess",
  title: "Megacontrol CF-50",
  evidence: [
    {
      kind: "telegram",
      source: "rscada/libmbus, test/test-frames, commit f09d613bf98d (allmess_cf50)",
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
          "6832326808017278563412824d0204010000000407304500000c15133204000b2e6100000b3b8412000a5a14080a5e26050b61802800ec16",
        ],
      ],
      gives: {
        tariff1: 152.295787,
        V_in: 4321.3,
        heat_power: 0.052451,
        Q_in: 1.284,
        T_in: 81.4,
        T_out: 52.6,
        T_delta: 28.8,
      },
      source: "our simulator, 2026-11",
    },
  ],
});

import { defineModel } from "../../model.ts";
import { heatMeter } from "../../shapes.ts";

/**
 * Sensus PolluStat E. BCD records, temperatures as integers.
 * Records: those of a public telegram of this meter, which a test reads. Not yet read from a real meter.
 */
export const polluStatE = defineModel({
  ...heatMeter({
    manufacturer: "SEN",
    version: 0x0e,
    medium: 4,
    records: [
      { code: "0C 06", field: "tariff1" },
      { code: "0C 13", field: "V_in" },
      { code: "0C 3B", field: "Q_in" },
      { code: "0C 2B", field: "heat_power" },
      { code: "02 5A", field: "T_in" },
      { code: "02 5E", field: "T_out" },
      { code: "03 60", field: "T_delta" },
      { code: "0C 78" },
    ],
  }),
  id: 233,
  brand: "Sensus",
  title: "PolluStat E",
  evidence: [
    {
      kind: "telegram",
      source: "rscada/libmbus, test/test-frames, commit f09d613bf98d (SEN_Sensus-PolluStat-E)",
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
          "683a3a6808017278563412ae4c0e04010000000c06257117000c13501232040c3b841200000c2b25080600025a2e03025e0e0203608070000c78785634124116",
        ],
      ],
      gives: {
        tariff1: 152.300086,
        V_in: 4321.25,
        Q_in: 1.284,
        heat_power: 0.0523,
        T_in: 81.4,
        T_out: 52.6,
        T_delta: 28.8,
      },
      source: "our simulator, 2026-11",
    },
  ],
});

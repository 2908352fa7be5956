import { defineModel } from "../../model.ts";
import { heatMeter } from "../../shapes.ts";

/**
 * Sontex Supercal 531. Integers, and float32 for states; energy in MJ, kWh by configuration: the code of the
 * answer decides.
 * Records: those of a public telegram of this meter, which a test reads. Not yet read from a real meter.
 */
export const supercal531 = defineModel({
  ...heatMeter({
    manufacturer: "SON",
    version: 0x0d,
    medium: 4,
    records: [
      { code: "04 0E", field: "tariff1" },
      { code: "04 14", field: "V_in" },
      { code: "05 5B", field: "T_in" },
      { code: "05 5F", field: "T_out" },
      { code: "05 3E", field: "Q_in" },
      { code: "05 2B", field: "heat_power" },
    ],
  }),
  id: 232,
  brand: "Sontex",
  title: "Supercal 531",
  evidence: [
    {
      kind: "telegram",
      source: "rscada/libmbus, test/test-frames, commit f09d613bf98d (sontex_supercal_531_telegram1)",
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
          "6833336808017278563412ee4d0d0401000000040ed2ba09000414fd970600055bcdcca242055f66665242053e1d5aa43f052be6986d47d516",
        ],
      ],
      gives: {
        tariff1: 152.300086,
        V_in: 4321.25,
        T_in: 81.4,
        T_out: 52.6,
        Q_in: 1.284,
        heat_power: 0.0523,
      },
      source: "our simulator, 2026-11",
    },
  ],
});

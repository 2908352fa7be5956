import { defineModel } from "../../model.ts";
import { heatMeter } from "../../shapes.ts";

/**
 * Diehl SHARKY 775. BCD records. Records: M-Bus specification of the manufacturer; quantities agree with
 * public radio telegrams of the family, whose application layer is the same. Not yet read from a real meter.
 */
export const sharky775 = defineModel({
  ...heatMeter({
    manufacturer: "DME",
    version: 0x40,
    medium: 4,
    records: [
      { code: "0C 78" },
      { code: "0C 06", field: "tariff1" },
      { code: "0C 13", field: "V_in" },
      { code: "0C 2B", field: "heat_power" },
      { code: "0B 3B", field: "Q_in" },
      { code: "0A 5A", field: "T_in" },
      { code: "0A 5E", field: "T_out" },
      { code: "0A 62", field: "T_delta" },
      { code: "0B 26", field: "working_time" },
      { code: "04 6D" },
    ],
  }),
  id: 204,
  // Eight digits of litres.
  capacities: { V_in: 100_000 },
  brand: "Diehl",
  title: "SHARKY 775",
  samples: [
    {
      of: "now",
      insideAddr: "1",
      deviceID: "12345678",
      exchange: [
        ["1040014116", "e5"],
        [
          "107b017c16",
          "6843436808017278563412a5114004010000000c78785634120c06257117000c13501232040c2b250806000b3b8412000a5a14080a5e26050a6288020b26110201046d0029553b5616",
        ],
      ],
      gives: {
        tariff1: 152.300086,
        V_in: 4321.25,
        working_time: 10211,
        heat_power: 0.0523,
        Q_in: 1.284,
        T_in: 81.4,
        T_out: 52.6,
        T_delta: 28.8,
      },
      source: "our simulator, 2026-11",
    },
  ],
});

import { defineModel } from "../../model.ts";
import { heatMeter } from "../../shapes.ts";

/**
 * Landis+Gyr Ultraheat T550 (UH50). BCD records; energy in kWh, MWh or GJ by configuration: the code of the
 * answer decides.
 * Records: operating instructions, M-Bus telegram; quantities agree with public telegrams of this meter. Not
 * yet read from a real meter.
 */
export const t550 = defineModel({
  ...heatMeter({
    manufacturer: "LUG",
    version: 0x07,
    medium: 4,
    records: [
      { code: "0C 06", field: "tariff1" },
      { code: "0C 14", field: "V_in" },
      { code: "0B 2D", field: "heat_power" },
      { code: "0B 3B", field: "Q_in" },
      { code: "0A 5B", field: "T_in" },
      { code: "0A 5F", field: "T_out" },
      { code: "0A 62", field: "T_delta" },
      { code: "0C 78" },
      { code: "04 6D" },
    ],
  }),
  id: 203,
  evidence: [
    {
      kind: "telegram",
      source: "wmbusmeters/wmbusmeters, drivers/src/ultraheat.xmq, commit 4dedd717d3af",
      compared: "Energy, volume, both temperatures and flow of one recorded telegram",
    },
  ],
  brand: "Landis+Gyr",
  title: "Ultraheat T550 (UH50)",
  samples: [
    {
      of: "now",
      insideAddr: "1",
      deviceID: "12345678",
      exchange: [
        ["1040014116", "e5"],
        [
          "107b017c16",
          "683d3d6808017278563412a7320704010000000c06257117000c14252143000b2d0806000b3b8412000a5b81000a5f53000a6288020c7878563412046d0029553b5816",
        ],
      ],
      gives: {
        tariff1: 152.300086,
        V_in: 4321.25,
        heat_power: 0.052279,
        Q_in: 1.284,
        T_in: 81,
        T_out: 53,
        T_delta: 28.8,
      },
      source: "our simulator, 2026-11",
    },
  ],
});

import { defineModel } from "../../model.ts";
import { heatMeter } from "../../shapes.ts";

/**
 * Engelmann SensoStar 2C. Integers, low byte first; energy in 0.1 MWh. The telegram continues with tariff and
 * month records that are skipped.
 * Records: those of a public telegram of this meter, which a test reads. Not yet read from a real meter.
 */
export const sensoStar2c = defineModel({
  ...heatMeter({
    manufacturer: "EFE",
    version: 0x01,
    medium: 4,
    records: [
      { code: "04 78" },
      { code: "04 6D" },
      { code: "04 15", field: "V_in" },
      { code: "04 FB 00", field: "tariff1" },
      { code: "04 3D", field: "Q_in" },
      { code: "04 2D", field: "heat_power" },
      { code: "02 5B", field: "T_in" },
      { code: "02 5F", field: "T_out" },
      { code: "04 61", field: "T_delta" },
    ],
  }),
  id: 230,
  brand: "Engelmann",
  title: "SensoStar 2C",
  evidence: [
    {
      kind: "telegram",
      source: "rscada/libmbus, test/test-frames, commit f09d613bf98d (engelmann_sensostar2c)",
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
          "6842426808017278563412c51401040100000004784e61bc00046d0029553b0415cda8000004fb00eb060000043d0d000000042d60020000025b5100025f35000461400b0000d216",
        ],
      ],
      gives: {
        V_in: 4321.3,
        tariff1: 152.27859,
        Q_in: 1.3,
        heat_power: 0.052279,
        T_in: 81,
        T_out: 53,
        T_delta: 28.8,
      },
      source: "our simulator, 2026-11",
    },
  ],
});

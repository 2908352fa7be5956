import { defineModel } from "../../model.ts";
import { heatMeter } from "../../shapes.ts";

/**
 * Itron CF Echo II. BCD records; flow and power carry the error function (3B) while the meter has no water.
 * Records: those of a public telegram of this meter, which a test reads. Not yet read from a real meter.
 */
export const cfEcho2 = defineModel({
  ...heatMeter({
    manufacturer: "ACW",
    version: 0x09,
    medium: 4,
    records: [
      { code: "0C 78" },
      { code: "0C 06", field: "tariff1" },
      { code: "0C 14", field: "V_in" },
      { code: "0B 2D", field: "heat_power" },
      { code: "0B 3B", field: "Q_in" },
      { code: "0A 5A", field: "T_in" },
      { code: "0A 5E", field: "T_out" },
      { code: "0B 61", field: "T_delta" },
      { code: "04 6D" },
    ],
  }),
  id: 231,
  brand: "Itron",
  title: "CF Echo II",
  evidence: [
    {
      kind: "telegram",
      source: "rscada/libmbus, test/test-frames, commit f09d613bf98d (itron_cf_echo_2)",
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
          "683e3e680801727856341277040904010000000c78785634120c06257117000c14252143000b2d0806000b3b8412000a5a14080a5e26050b61802800046d0029553b8b16",
        ],
      ],
      gives: {
        tariff1: 152.300086,
        V_in: 4321.25,
        heat_power: 0.052279,
        Q_in: 1.284,
        T_in: 81.4,
        T_out: 52.6,
        T_delta: 28.8,
      },
      source: "our simulator, 2026-11",
    },
  ],
});

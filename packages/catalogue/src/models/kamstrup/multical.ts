import type { MbusRow } from "@metrum/protocols/mbus";
import { defineModel } from "../../model.ts";
import { heatMeter } from "../../shapes.ts";

/**
 * Records of both meters; integers, low byte first. The resolution of energy, volume and power follows the
 * configuration of the meter (kWh to 0.1 MWh, 0.01 to 1 m3): the code of the answer decides.
 */
const records: readonly MbusRow[] = [
  { code: "0C 78" },
  { code: "04 06", field: "tariff1" },
  { code: "04 14", field: "V_in" },
  { code: "04 22", field: "working_time" },
  { code: "02 59", field: "T_in" },
  { code: "02 5D", field: "T_out" },
  { code: "02 61", field: "T_delta" },
  { code: "04 2D", field: "heat_power" },
  { code: "04 3B", field: "Q_in" },
  { code: "04 6D" },
];

const kamstrup = { manufacturer: "KAM", medium: 4, records } as const;

/**
 * Kamstrup MULTICAL 403. Records: technical description, M-Bus module; taken to be those of the 603.
 * Not yet read from a real meter.
 */
export const multical403 = defineModel({
  ...heatMeter({ ...kamstrup, version: 0x34 }),
  id: 201,
  evidence: [
    {
      kind: "telegram",
      source: "wmbusmeters/wmbusmeters, drivers/src/kamheat.xmq, commit 4dedd717d3af",
      compared: "Energy, volume, both temperatures and flow of one recorded telegram of a MULTICAL 403",
    },
  ],
  brand: "Kamstrup",
  title: "MULTICAL 403",
  samples: [
    {
      of: "now",
      insideAddr: "1",
      deviceID: "12345678",
      exchange: [
        ["1040014116", "e5"],
        [
          "107b017c16",
          "68454568080172785634122d2c3404010000000c78785634120406e5b302000414fd9706000422e32700000259cc1f025d8c140261400b042d60020000043b04050000046d0029553b3716",
        ],
      ],
      gives: {
        tariff1: 152.300086,
        V_in: 4321.25,
        working_time: 10211,
        T_in: 81.4,
        T_out: 52.6,
        T_delta: 28.8,
        heat_power: 0.052279,
        Q_in: 1.284,
      },
      source: "our simulator, 2026-11",
    },
  ],
});

/**
 * Kamstrup MULTICAL 603. Records: technical description, M-Bus module; quantities agree with a public
 * telegram of this meter.
 */
export const multical603 = defineModel({
  ...heatMeter({ ...kamstrup, version: 0x35 }),
  id: 202,
  evidence: [
    {
      kind: "telegram",
      source: "wmbusmeters/wmbusmeters, drivers/src/kamheat.xmq, commit 4dedd717d3af",
      compared: "Energy, volume, both temperatures and flow of one recorded telegram of a MULTICAL 603",
    },
  ],
  brand: "Kamstrup",
  title: "MULTICAL 603",
  samples: [
    {
      of: "now",
      insideAddr: "1",
      deviceID: "12345678",
      exchange: [
        ["1040014116", "e5"],
        [
          "107b017c16",
          "68454568080172785634122d2c3504010000000c78785634120406e5b302000414fd9706000422e32700000259cc1f025d8c140261400b042d60020000043b04050000046d0029553b3816",
        ],
      ],
      gives: {
        tariff1: 152.300086,
        V_in: 4321.25,
        working_time: 10211,
        T_in: 81.4,
        T_out: 52.6,
        T_delta: 28.8,
        heat_power: 0.052279,
        Q_in: 1.284,
      },
      source: "our simulator, 2026-11",
    },
  ],
});

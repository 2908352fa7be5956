import type { RegisterRow } from "@metrum/protocols/modbus";
import { defineModel } from "../../model.ts";
import { rowsAt } from "../../registerRows.ts";
import { electricityMeter } from "../../shapes.ts";

const float = { table: "holding", type: "f32", msgType: 2 } as const;

/**
 * Map of the SENTRON PAC family. Layout: float32 and float64, high word first; counters are kept by tariff
 * only, without a total.
 * Units on the wire: V, A, W, VA, var, Hz, Wh, varh.
 */
const rowsWith = (frequency: number): readonly RegisterRow[] => [
  ...rowsAt(float, {
    voltage1: 1,
    voltage2: 3,
    voltage3: 5,
    current1: 13,
    current2: 15,
    current3: 17,
    cos1: 37,
    cos2: 39,
    cos3: 41,
    Frequency: frequency,
    cos0: 69,
  }),
  ...rowsAt(
    { ...float, scale: 0.001 },
    {
      power_active1: 25,
      power_active2: 27,
      power_active3: 29,
      power_apparent: 63,
      power_active: 65,
      power_reactive: 67,
    },
  ),
  ...rowsAt(
    { table: "holding", type: "f64", msgType: 1, scale: 0.001 },
    {
      tariff1: 801,
      tariff2: 805,
      tariff_negative1: 809,
      tariff_negative2: 813,
    },
  ),
];

/**
 * Siemens SENTRON PAC2200 over Modbus TCP. Half-hour power follows tariff 1: a site that uses tariff 2 reads
 * both counters.
 * Map: PAC2200 manual; compared with public readers of this meter, tariff 2 from the list alone. Not yet read
 * from a real meter.
 */
export const pac2200 = defineModel({
  ...electricityMeter({ phases: 3, variant: "tcp", rows: rowsWith(46), counter: "tariff1" }),
  id: 188,
  brand: "Siemens",
  title: "SENTRON PAC2200",
  interfaces: ["Ethernet"],
  samples: [
    {
      of: "now",
      insideAddr: "1",
      exchange: [
        ["010100000006010300010006", "01010000000f01030c4366199a436766664365cccd"],
        ["0102000000060103000d0006", "01020000000f01030c40a800004099eb8540c23d71"],
        ["010300000006010300190006", "01030000000f01030c449000004484400044a6c000"],
        ["010400000006010300250006", "01040000000f01030c3f7439583f7374bc3f74bc6a"],
        ["0105000000060103002e0002", "0105000000070103044247eb85"],
        ["0106000000060103003f0008", "01060000001301031045684000455d8000448b80003f743958"],
        [
          "010700000006010303210010",
          "010700000023010320415fd60000000000414e84800000000040c09a000000000040af400000000000",
        ],
      ],
      gives: {
        tariff1: 8345.6,
        tariff2: 4000,
        tariff_negative1: 8.5,
        tariff_negative2: 4,
        voltage1: 230.1,
        voltage2: 231.4,
        voltage3: 229.8,
        current1: 5.25,
        current2: 4.81,
        current3: 6.07,
        power_active1: 1.152,
        power_active2: 1.058,
        power_active3: 1.334,
        cos1: 0.954,
        cos2: 0.951,
        cos3: 0.956,
        Frequency: 49.98,
        power_apparent: 3.716,
        power_active: 3.544,
        power_reactive: 1.116,
        cos0: 0.954,
      },
      source: "our simulator, 2026-11",
    },
  ],
});

/**
 * Siemens SENTRON PAC3200 over Modbus TCP, as the PAC2200. Map: PAC3200 manual, from the list alone. Not yet
 * read from a real meter.
 */
export const pac3200 = defineModel({
  ...electricityMeter({ phases: 3, variant: "tcp", rows: rowsWith(55), counter: "tariff1" }),
  id: 189,
  brand: "Siemens",
  title: "SENTRON PAC3200",
  deviceTypeId: 29,
  interfaces: ["Ethernet"],
  samples: [
    {
      of: "now",
      insideAddr: "1",
      exchange: [
        ["010100000006010300010006", "01010000000f01030c4366199a436766664365cccd"],
        ["0102000000060103000d0006", "01020000000f01030c40a800004099eb8540c23d71"],
        ["010300000006010300190006", "01030000000f01030c449000004484400044a6c000"],
        ["010400000006010300250006", "01040000000f01030c3f7439583f7374bc3f74bc6a"],
        ["010500000006010300370002", "0105000000070103044247eb85"],
        ["0106000000060103003f0008", "01060000001301031045684000455d8000448b80003f743958"],
        [
          "010700000006010303210010",
          "010700000023010320415fd60000000000414e84800000000040c09a000000000040af400000000000",
        ],
      ],
      gives: {
        tariff1: 8345.6,
        tariff2: 4000,
        tariff_negative1: 8.5,
        tariff_negative2: 4,
        voltage1: 230.1,
        voltage2: 231.4,
        voltage3: 229.8,
        current1: 5.25,
        current2: 4.81,
        current3: 6.07,
        power_active1: 1.152,
        power_active2: 1.058,
        power_active3: 1.334,
        cos1: 0.954,
        cos2: 0.951,
        cos3: 0.956,
        Frequency: 49.98,
        power_apparent: 3.716,
        power_active: 3.544,
        power_reactive: 1.116,
        cos0: 0.954,
      },
      source: "our simulator, 2026-11",
    },
  ],
});

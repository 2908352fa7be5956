import type { RegisterRow } from "@metrum/protocols/modbus";
import { defineModel } from "../../model.ts";
import { rowsAt } from "../../registerRows.ts";
import { electricityMeter } from "../../shapes.ts";

const long = { table: "input", type: "i32", msgType: 2 } as const;

/**
 * Layout: int32, high word first. Units on the wire: 0.1 V, mA, W, var, 0.01 of the power factor, 0.1 Hz, Wh.
 */
const rows: readonly RegisterRow[] = [
  ...rowsAt({ ...long, scale: 0.1 }, { voltage1: 0x00, voltage2: 0x0a, voltage3: 0x14 }),
  ...rowsAt(
    { ...long, scale: 0.001 },
    {
      current1: 0x02,
      power_active1: 0x04,
      current2: 0x0c,
      power_active2: 0x0e,
      current3: 0x16,
      power_active3: 0x18,
      power_active: 0x1e,
    },
  ),
  ...rowsAt({ ...long, scale: 0.01 }, { cos1: 0x08, cos2: 0x12, cos3: 0x1c, cos0: 0x26 }),
  ...rowsAt({ ...long, scale: 0.1 }, { Frequency: 0x28 }),
  ...rowsAt({ ...long, type: "u32", msgType: 1, scale: 0.001 }, { tariff0: 0x3c }),
];

/**
 * Circutor CVM-MINI. Map: CVM-MINI instruction manual, Modbus map, from the list alone. Not yet read from a
 * real meter.
 */
export const cvmMini = defineModel({
  ...electricityMeter({ phases: 3, variant: "rtu", rows }),
  id: 199,
  brand: "Circutor",
  title: "CVM-MINI",
  deviceTypeId: 29,
  interfaces: ["RS_485"],
  counterCapacity: 4_294_967,
  // It counts behind its current transformers: 10 MW.
  holdsHours: 430,
  samples: [
    {
      of: "now",
      insideAddr: "1",
      exchange: [
        ["0104000000067008", "01040c000008fd000014820000048030a3"],
        ["010400080008700e", "0104100000005f0000090a000012ca000004223647"],
        ["01040012000851c9", "0104100000005f000008fa000017b6000005363386"],
        ["0104001c0004300f", "0104080000006000000dd8a0cf"],
        ["0104002600041002", "0104080000005f000001f4b017"],
        ["0104003c0002b1c7", "01040400bc610013f0"],
      ],
      gives: {
        tariff0: 12345.6,
        voltage1: 230.1,
        current1: 5.25,
        power_active1: 1.152,
        cos1: 0.95,
        voltage2: 231.4,
        current2: 4.81,
        power_active2: 1.058,
        cos2: 0.95,
        voltage3: 229.8,
        current3: 6.07,
        power_active3: 1.334,
        cos3: 0.96,
        power_active: 3.544,
        cos0: 0.95,
        Frequency: 50,
      },
      source: "our simulator, 2026-11",
    },
  ],
});

import type { RegisterRow } from "@metrum/protocols/modbus";
import { defineModel } from "../../model.ts";
import { rowsAt } from "../../registerRows.ts";
import { electricityMeter } from "../../shapes.ts";

const short = { table: "input", type: "u16", msgType: 2 } as const;
const long = { table: "input", type: "u32", order: "CDAB", msgType: 2 } as const;

/**
 * Layout: uint16, and uint32 with the low word first. Units on the wire: 0.1 V, mA, 0.1 W, Wh, 0.1 Hz, 0.01
 * of the power factor.
 */
const rows: readonly RegisterRow[] = [
  ...rowsAt({ ...short, scale: 0.1 }, { voltage1: 0, Frequency: 7 }),
  ...rowsAt({ ...long, scale: 0.001 }, { current1: 1 }),
  ...rowsAt({ ...long, scale: 0.0001 }, { power_active: 3 }),
  ...rowsAt({ ...long, scale: 0.001, msgType: 1 }, { tariff0: 5 }),
  ...rowsAt({ ...short, scale: 0.01 }, { cos0: 8 }),
];

/**
 * Peacefair PZEM-016, a module for one phase. Map: PZEM-014/016 user manual, from the list alone. Not yet
 * read from a real one.
 */
export const pzem016 = defineModel({
  ...electricityMeter({ phases: 1, variant: "rtu", rows }),
  id: 107,
  brand: "Peacefair",
  title: "PZEM-016",
  interfaces: ["RS_485"],
  counterCapacity: 10_000,
  // 23 kW.
  holdsHours: 434,
  samples: [
    {
      of: "now",
      insideAddr: "1",
      exchange: [["010400000009300c", "01041208fd148200008a700000610000bc01f4005f3e37"]],
      gives: {
        tariff0: 12345.6,
        voltage1: 230.1,
        current1: 5.25,
        power_active: 3.544,
        Frequency: 50,
        cos0: 0.95,
      },
      source: "our simulator, 2026-11",
    },
  ],
});

import type { RegisterRow } from "@metrum/protocols/modbus";
import { defineModel } from "../../model.ts";
import { rowsAt } from "../../registerRows.ts";
import { electricityMeter } from "../../shapes.ts";

const unsigned = { table: "input", type: "u32", msgType: 2 } as const;
const power = { table: "input", type: "i32", msgType: 2, scale: 0.000_01 } as const;

/**
 * Layout: integers of 2 and 4 registers, high word first. The document counts registers from 1, the wire from
 * 0.
 * Units on the wire: 0.01 V, 0.0001 A, 0.01 W (var, VA), 0.001 Hz, 0.01 kWh (kvarh).
 */
const rows: readonly RegisterRow[] = [
  ...rowsAt({ ...unsigned, scale: 0.01 }, { voltage1: 0x01, voltage2: 0x03, voltage3: 0x05 }),
  ...rowsAt({ ...unsigned, scale: 0.0001 }, { current1: 0x07, current2: 0x09, current3: 0x0b }),
  ...rowsAt(power, {
    power_active1: 0x13,
    power_active2: 0x15,
    power_active3: 0x17,
    power_reactive1: 0x19,
    power_reactive2: 0x1b,
    power_reactive3: 0x1d,
  }),
  ...rowsAt(
    { ...unsigned, scale: 0.000_01 },
    { power_apparent1: 0x1f, power_apparent2: 0x21, power_apparent3: 0x23 },
  ),
  ...rowsAt({ ...unsigned, scale: 0.001 }, { Frequency: 0x31 }),
  ...rowsAt(power, { power_active: 0x39, power_reactive: 0x3b }),
  ...rowsAt({ ...unsigned, scale: 0.000_01 }, { power_apparent: 0x3d }),
  ...rowsAt(
    { table: "input", type: "u64", msgType: 1, scale: 0.01 },
    {
      tariff0: 0x1b1f,
      tariff_negative0: 0x1b23,
      tariff_reactive0: 0x1b27,
      tariff_reactive_negative0: 0x1b2b,
    },
  ),
];

/**
 * Lovato DMG610.
 * Map: DMG series, Modbus protocol manual; compared with public readers of this meter. Not yet read from a
 * real meter.
 */
export const dmg610 = defineModel({
  ...electricityMeter({ phases: 3, variant: "rtu", rows }),
  id: 196,
  evidence: [
    {
      kind: "software",
      source: "volkszaehler/mbmd, meters/rs485/dmg610.go, commit fb8f9c22f121",
      compared: "Addresses of all 23 registers of the map",
    },
  ],
  brand: "Lovato",
  title: "DMG610",
  deviceTypeId: 29,
  interfaces: ["RS_485"],
  samples: [
    {
      of: "now",
      insideAddr: "1",
      exchange: [
        ["01040001000ca1cf", "010418000059e200005a64000059c40000cd140000bbe40000ed1c199e"],
        [
          "01040013001281c2",
          "0104240001c20000019d480002091800008dcc000086c400009f600001d7e00001b2c4000220ecab64",
        ],
        ["0104003100022004", "0104040000c33cab65"],
        ["010400390006a005", "01040c000568600001b3f00005ab908ba6"],
        ["01041b1f0010c6e4", "010420000000000012d68000000000000004e2000000000004e61000000000000003165464"],
      ],
      gives: {
        tariff0: 12345.6,
        tariff_negative0: 12.5,
        tariff_reactive0: 3210.4,
        tariff_reactive_negative0: 7.9,
        voltage1: 230.1,
        voltage2: 231.4,
        voltage3: 229.8,
        current1: 5.25,
        current2: 4.81,
        current3: 6.07,
        power_active1: 1.152,
        power_active2: 1.058,
        power_active3: 1.334,
        power_reactive1: 0.363,
        power_reactive2: 0.345,
        power_reactive3: 0.408,
        power_apparent1: 1.208,
        power_apparent2: 1.113,
        power_apparent3: 1.395,
        Frequency: 49.98,
        power_active: 3.544,
        power_reactive: 1.116,
        power_apparent: 3.716,
      },
      source: "our simulator, 2026-11",
    },
  ],
});

import type { RegisterRow } from "@metrum/protocols/modbus";
import { defineModel } from "../../model.ts";
import { rowsAt } from "../../registerRows.ts";
import { electricityMeter } from "../../shapes.ts";

const float = { table: "holding", type: "f32", msgType: 2 } as const;
const counter = { ...float, msgType: 1 } as const;

/**
 * Layout: float32, high word first. Units on the wire: 0.1 V, 0.001 A, 0.1 W (var), 0.001 of the power
 * factor, 0.01 Hz, kWh.
 */
const threePhase: readonly RegisterRow[] = [
  ...rowsAt(counter, { tariff0: 0x101e, tariff_negative0: 0x1028 }),
  ...rowsAt({ ...float, scale: 0.1 }, { voltage1: 0x2006, voltage2: 0x2008, voltage3: 0x200a }),
  ...rowsAt({ ...float, scale: 0.001 }, { current1: 0x200c, current2: 0x200e, current3: 0x2010 }),
  ...rowsAt(
    { ...float, scale: 0.0001 },
    {
      power_active: 0x2012,
      power_active1: 0x2014,
      power_active2: 0x2016,
      power_active3: 0x2018,
      power_reactive: 0x201a,
      power_reactive1: 0x201c,
      power_reactive2: 0x201e,
      power_reactive3: 0x2020,
    },
  ),
  ...rowsAt({ ...float, scale: 0.001 }, { cos0: 0x202a, cos1: 0x202c, cos2: 0x202e, cos3: 0x2030 }),
  ...rowsAt({ ...float, scale: 0.01 }, { Frequency: 0x2044 }),
];

/** Layout: float32, high word first. Units on the wire: V, A, kW, kvar, Hz, kWh. */
const singlePhase: readonly RegisterRow[] = [
  ...rowsAt(float, {
    voltage1: 0x2000,
    current1: 0x2002,
    power_active: 0x2004,
    power_reactive: 0x2006,
    cos0: 0x200a,
    Frequency: 0x200e,
  }),
  ...rowsAt(counter, { tariff0: 0x4000, tariff_negative0: 0x400a }),
];

/**
 * Chint DTSU666, direct connection or transformers set in the meter.
 * Map: user manual DTSU666; compared with public readers of this meter. Not yet read from a real meter.
 */
export const dtsu666 = defineModel({
  ...electricityMeter({ phases: 3, variant: "rtu", rows: threePhase }),
  id: 192,
  evidence: [
    {
      kind: "software",
      source: "volkszaehler/mbmd, meters/rs485/dtsu666.go, commit fb8f9c22f121",
      compared: "Addresses of all 21 registers of the map",
    },
  ],
  brand: "Chint",
  title: "DTSU666",
  interfaces: ["RS_485"],
  counterCapacity: 1_000_000,
  samples: [
    {
      of: "now",
      insideAddr: "1",
      exchange: [
        ["0103101e0002a0cd", "0103044640e66624e5"],
        ["01031028000240c3", "010304414800006e19"],
        [
          "01032006001cafc2",
          "010338450fd0004510a000450fa00045a410004596500045bdb000470a7000463400004625500046507000462e60004562e0004557a000457f0000ddc3",
        ],
        ["0103202a00086e04", "010310446e8000446e8000446dc000446f0000091f"],
        ["0103204400028fde", "010304459c30003b11"],
      ],
      gives: {
        tariff0: 12345.6,
        tariff_negative0: 12.5,
        voltage1: 230.1,
        voltage2: 231.4,
        voltage3: 229.8,
        current1: 5.25,
        current2: 4.81,
        current3: 6.07,
        power_active: 3.544,
        power_active1: 1.152,
        power_active2: 1.058,
        power_active3: 1.334,
        power_reactive: 1.116,
        power_reactive1: 0.363,
        power_reactive2: 0.345,
        power_reactive3: 0.408,
        cos0: 0.954,
        cos1: 0.954,
        cos2: 0.951,
        cos3: 0.956,
        Frequency: 49.98,
      },
      source: "our simulator, 2026-11",
    },
  ],
});

/**
 * Chint DDSU666, single-phase. Map: user manual DDSU666, from the list alone. Not yet read from a real meter.
 */
export const ddsu666 = defineModel({
  ...electricityMeter({ phases: 1, variant: "rtu", rows: singlePhase }),
  id: 193,
  brand: "Chint",
  title: "DDSU666",
  interfaces: ["RS_485"],
  counterCapacity: 1_000_000,
  samples: [
    {
      of: "now",
      insideAddr: "1",
      exchange: [
        ["0103200000084fcc", "0103104366199a40a800004062d0e53f8ed917f5bc"],
        ["0103200a0002efc9", "0103043f743958a597"],
        ["0103200e0002ae08", "0103044247eb85d10d"],
        ["010340000002d1cb", "0103044640e66624e5"],
        ["0103400a0002f1c9", "010304414800006e19"],
      ],
      gives: {
        tariff0: 12345.6,
        tariff_negative0: 12.5,
        voltage1: 230.1,
        current1: 5.25,
        power_active: 3.544,
        power_reactive: 1.116,
        cos0: 0.954,
        Frequency: 49.98,
      },
      source: "our simulator, 2026-11",
    },
  ],
});

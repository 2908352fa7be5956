import type { RegisterRow } from "@metrum/protocols/modbus";
import { defineModel } from "../../model.ts";
import { rowsAt } from "../../registerRows.ts";
import { electricityMeter } from "../../shapes.ts";

const float = { table: "input", type: "f32", msgType: 2 } as const;
const kilo = { ...float, scale: 0.001 } as const;
const counter = { ...kilo, msgType: 1 } as const;

/** Layout: float32 input registers, high word first. Units on the wire: V, A, W, var, VA, Hz, Wh, varh. */
const threePhase: readonly RegisterRow[] = [
  ...rowsAt(float, {
    voltage1: 2500,
    voltage2: 2502,
    voltage3: 2504,
    current1: 2516,
    current2: 2518,
    current3: 2520,
  }),
  ...rowsAt(kilo, {
    power_active1: 2530,
    power_active2: 2532,
    power_active3: 2534,
    power_active: 2536,
    power_reactive1: 2538,
    power_reactive2: 2540,
    power_reactive3: 2542,
    power_reactive: 2544,
    power_apparent1: 2546,
    power_apparent2: 2548,
    power_apparent3: 2550,
    power_apparent: 2552,
  }),
  ...rowsAt(float, { cos1: 2554, cos2: 2556, cos3: 2558, cos0: 2560, Frequency: 2584 }),
  ...rowsAt(counter, {
    tariff0: 2752,
    tariff_reactive0: 2754,
    tariff_negative0: 2756,
    tariff_reactive_negative0: 2758,
  }),
];

/**
 * The part of that map that a single-phase meter has: the first phase of voltage and current, and the sums.
 */
const singlePhase = threePhase.filter(
  ({ field }) => field === "voltage1" || field === "current1" || !/[a-z][123]$/.test(field),
);

/**
 * Finder 7M.38. A float32 in Wh loses single watt-hours above 16.7 MWh.
 * Map: Finder, Modbus 7M.24/7M.38 v2; compared with public readers of this meter. Not yet read from a real
 * meter.
 */
export const finder7m38 = defineModel({
  ...electricityMeter({ phases: 3, variant: "rtu", rows: threePhase }),
  id: 194,
  brand: "Finder",
  title: "7M.38",
  interfaces: ["RS_485"],
  samples: [
    {
      of: "now",
      insideAddr: "1",
      exchange: [
        ["010409c400063269", "01040c4366199a436766664365cccdb13a"],
        ["010409d4000633ac", "01040c40a800004099eb8540c23d710f9e"],
        [
          "010409e200205278",
          "010440449000004484400044a6c000455d800043b5800043ac800043cc0000448b800044970000448b200044ae6000456840003f7439583f7374bc3f74bc6a3f7439583d60",
        ],
        ["01040a180002f214", "0104044247eb85d0ba"],
        ["01040ac00008f228", "0104104b3c61004a43f2804643500045f6e000bf46"],
      ],
      gives: {
        tariff0: 12345.6,
        tariff_reactive0: 3210.4,
        tariff_negative0: 12.5,
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
        power_active: 3.544,
        power_reactive1: 0.363,
        power_reactive2: 0.345,
        power_reactive3: 0.408,
        power_reactive: 1.116,
        power_apparent1: 1.208,
        power_apparent2: 1.113,
        power_apparent3: 1.395,
        power_apparent: 3.716,
        cos1: 0.954,
        cos2: 0.951,
        cos3: 0.956,
        cos0: 0.954,
        Frequency: 49.98,
      },
      source: "our simulator, 2026-11",
    },
  ],
});

/** Finder 7M.24, single-phase. Map and certainty as the 7M.38. Not yet read from a real meter. */
export const finder7m24 = defineModel({
  ...electricityMeter({ phases: 1, variant: "rtu", rows: singlePhase }),
  id: 195,
  brand: "Finder",
  title: "7M.24",
  interfaces: ["RS_485"],
  samples: [
    {
      of: "now",
      insideAddr: "1",
      exchange: [
        ["010409c4000233aa", "0104044366199a85e4"],
        ["010409d40002326f", "01040440a800006fa4"],
        ["010409e80002f263", "010404455d80001e9a"],
        ["010409f000027264", "010404448b8000fe9e"],
        ["010409f80002f3a6", "010404456840005e94"],
        ["01040a0000027213", "0104043f743958a420"],
        ["01040a180002f214", "0104044247eb85d0ba"],
        ["01040ac00008f228", "0104104b3c61004a43f2804643500045f6e000bf46"],
      ],
      gives: {
        tariff0: 12345.6,
        tariff_reactive0: 3210.4,
        tariff_negative0: 12.5,
        tariff_reactive_negative0: 7.9,
        voltage1: 230.1,
        current1: 5.25,
        power_active: 3.544,
        power_reactive: 1.116,
        power_apparent: 3.716,
        cos0: 0.954,
        Frequency: 49.98,
      },
      source: "our simulator, 2026-11",
    },
  ],
});

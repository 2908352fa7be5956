import { defineModel } from "../../model.ts";
import { electricityMeter } from "../../shapes.ts";
import { sdm72 as rows } from "./registers.ts";

/**
 * Eastron SDM72D-M, second version (the first has counters and the total power only).
 * Map: Eastron SDM72DM-V2 protocol; addresses compared with public readers of this meter. Not yet read from a
 * real meter.
 */
export const sdm72 = defineModel({
  ...electricityMeter({ phases: 3, variant: "rtu", rows, maxRegisters: 80 }),
  id: 180,
  evidence: [
    {
      kind: "software",
      source: "volkszaehler/mbmd, meters/rs485/sdm72v2.go, commit fb8f9c22f121",
      compared: "Addresses of all 25 registers of the map",
    },
  ],
  brand: "Eastron",
  title: "SDM72D-M v2",
  interfaces: ["RS_485"],
  counterCapacity: 1_000_000,
  samples: [
    {
      of: "now",
      insideAddr: "1",
      exchange: [
        [
          "010400000024f011",
          "0104484366199a436766664365cccd40a800004099eb8540c23d71449000004484400044a6c00044970000448b200044ae600043b5800043ac800043cc00003f7439583f7374bc3f74bc6acf20",
        ],
        ["0104003400023005", "010404455d80001e9a"],
        ["010400380002f006", "010404456840005e94"],
        ["0104003c000431c5", "010408448b80003f7439585aa2"],
        ["01040046000691dd", "01040c4247eb854640e666414800004625"],
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
        power_active1: 1.152,
        power_active2: 1.058,
        power_active3: 1.334,
        power_apparent1: 1.208,
        power_apparent2: 1.113,
        power_apparent3: 1.395,
        power_reactive1: 0.363,
        power_reactive2: 0.345,
        power_reactive3: 0.408,
        cos1: 0.954,
        cos2: 0.951,
        cos3: 0.956,
        power_active: 3.544,
        power_apparent: 3.716,
        power_reactive: 1.116,
        cos0: 0.954,
        Frequency: 49.98,
      },
      source: "our simulator, 2026-11",
    },
  ],
});

/**
 * Eastron SDM54.
 * Map: user manual SDM54 V1.2; addresses compared with public readers of this meter. Not yet read from a real
 * meter.
 */
export const sdm54 = defineModel({
  ...electricityMeter({ phases: 3, variant: "rtu", rows, maxRegisters: 80 }),
  id: 182,
  evidence: [
    {
      kind: "software",
      source: "volkszaehler/mbmd, meters/rs485/sdm54.go, commit fb8f9c22f121",
      compared: "Addresses of all 25 registers of the map",
    },
  ],
  brand: "Eastron",
  title: "SDM54",
  interfaces: ["RS_485"],
  counterCapacity: 1_000_000,
  samples: [
    {
      of: "now",
      insideAddr: "1",
      exchange: [
        [
          "010400000024f011",
          "0104484366199a436766664365cccd40a800004099eb8540c23d71449000004484400044a6c00044970000448b200044ae600043b5800043ac800043cc00003f7439583f7374bc3f74bc6acf20",
        ],
        ["0104003400023005", "010404455d80001e9a"],
        ["010400380002f006", "010404456840005e94"],
        ["0104003c000431c5", "010408448b80003f7439585aa2"],
        ["01040046000691dd", "01040c4247eb854640e666414800004625"],
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
        power_active1: 1.152,
        power_active2: 1.058,
        power_active3: 1.334,
        power_apparent1: 1.208,
        power_apparent2: 1.113,
        power_apparent3: 1.395,
        power_reactive1: 0.363,
        power_reactive2: 0.345,
        power_reactive3: 0.408,
        cos1: 0.954,
        cos2: 0.951,
        cos3: 0.956,
        power_active: 3.544,
        power_apparent: 3.716,
        power_reactive: 1.116,
        cos0: 0.954,
        Frequency: 49.98,
      },
      source: "our simulator, 2026-11",
    },
  ],
});

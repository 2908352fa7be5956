import { defineModel } from "../../model.ts";
import { electricityMeter } from "../../shapes.ts";
import { rows } from "./registers.ts";

/** The part of a three-phase map that a single-phase meter has. */
const firstPhase = rows.filter(({ field }) => !/[a-z][23]$|^(cos|power_active)1$/.test(field));

/**
 * ABB B24: the B23 for current transformers. Map: user manual 2CMC485003M0201. Not yet read from a real
 * meter.
 */
export const b24 = defineModel({
  ...electricityMeter({ phases: 3, variant: "rtu", rows }),
  id: 185,
  evidence: [
    {
      kind: "software",
      source: "volkszaehler/mbmd, meters/rs485/abb.go, commit fb8f9c22f121",
      compared: "Addresses of 17 of the 21 registers of the map, the others are not in that reader",
    },
  ],
  brand: "ABB",
  title: "B24",
  interfaces: ["RS_485"],
  counterCapacity: 10_000_000,
  // It counts behind its current transformers: 10 MW.
  holdsHours: 1_000,
  samples: [
    {
      of: "now",
      insideAddr: "1",
      exchange: [
        ["010350000008550c", "010310000000000012d68000000000000004e2bcd8"],
        ["0103500c0008950f", "010310000000000004e610000000000000031659de"],
        ["01035b000006d6ec", "01030c000008fd0000090a000008fa5115"],
        ["01035b0c000616ef", "01030c0000020d000001e10000025f96b5"],
        ["01035b14000a96ed", "010314000568600001c20000019d48000209180001b3f03b5c"],
        ["01035b2400029724", "0103040005ab90956e"],
        ["01035b2c000156e7", "010302138634d6"],
        ["01035b3a00047720", "01030803ba03ba03b703bca6c2"],
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
        power_active: 3.544,
        power_active1: 1.152,
        power_active2: 1.058,
        power_active3: 1.334,
        power_reactive: 1.116,
        power_apparent: 3.716,
        Frequency: 49.98,
        cos0: 0.954,
        cos1: 0.954,
        cos2: 0.951,
        cos3: 0.956,
      },
      source: "our simulator, 2026-11",
    },
  ],
});

/**
 * ABB B21, single-phase. Map: user manual B21, first phase of the family's map. Not yet read from a real
 * meter.
 */
export const b21 = defineModel({
  ...electricityMeter({ phases: 1, variant: "rtu", rows: firstPhase }),
  id: 186,
  brand: "ABB",
  title: "B21",
  interfaces: ["RS_485"],
  counterCapacity: 10_000_000,
  samples: [
    {
      of: "now",
      insideAddr: "1",
      exchange: [
        ["010350000008550c", "010310000000000012d68000000000000004e2bcd8"],
        ["0103500c0008950f", "010310000000000004e610000000000000031659de"],
        ["01035b000002d72f", "010304000008fd3c72"],
        ["01035b0c0002172c", "0103040000020d3a96"],
        ["01035b140002972b", "01030400056860c5da"],
        ["01035b1c000216e9", "0103040001b3f0de87"],
        ["01035b2400029724", "0103040005ab90956e"],
        ["01035b2c000156e7", "010302138634d6"],
        ["01035b3a0001b723", "01030203ba3907"],
      ],
      gives: {
        tariff0: 12345.6,
        tariff_negative0: 12.5,
        tariff_reactive0: 3210.4,
        tariff_reactive_negative0: 7.9,
        voltage1: 230.1,
        current1: 5.25,
        power_active: 3.544,
        power_reactive: 1.116,
        power_apparent: 3.716,
        Frequency: 49.98,
        cos0: 0.954,
      },
      source: "our simulator, 2026-11",
    },
  ],
});

/**
 * ABB A43. Map: A43/A44 user manual, the same as the B series'; compared with public readers. Not yet read
 * from a real meter.
 */
export const a43 = defineModel({
  ...electricityMeter({ phases: 3, variant: "rtu", rows }),
  id: 187,
  brand: "ABB",
  title: "A43",
  interfaces: ["RS_485"],
  counterCapacity: 10_000_000,
  samples: [
    {
      of: "now",
      insideAddr: "1",
      exchange: [
        ["010350000008550c", "010310000000000012d68000000000000004e2bcd8"],
        ["0103500c0008950f", "010310000000000004e610000000000000031659de"],
        ["01035b000006d6ec", "01030c000008fd0000090a000008fa5115"],
        ["01035b0c000616ef", "01030c0000020d000001e10000025f96b5"],
        ["01035b14000a96ed", "010314000568600001c20000019d48000209180001b3f03b5c"],
        ["01035b2400029724", "0103040005ab90956e"],
        ["01035b2c000156e7", "010302138634d6"],
        ["01035b3a00047720", "01030803ba03ba03b703bca6c2"],
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
        power_active: 3.544,
        power_active1: 1.152,
        power_active2: 1.058,
        power_active3: 1.334,
        power_reactive: 1.116,
        power_apparent: 3.716,
        Frequency: 49.98,
        cos0: 0.954,
        cos1: 0.954,
        cos2: 0.951,
        cos3: 0.956,
      },
      source: "our simulator, 2026-11",
    },
  ],
});

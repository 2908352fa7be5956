import { defineModel } from "../../model.ts";
import { electricityMeter } from "../../shapes.ts";
import { threePhase } from "./registers.ts";

/**
 * Map: Carlo Gavazzi, EM24-DIN Ethernet communication protocol. Voltages, currents, active powers, frequency
 * and active energy compared with public readers of this meter; power factors and reactive energy from the
 * family's list. The RS-485 version has another map. Not yet read from a real meter.
 */
export const em24Ethernet = defineModel({
  ...electricityMeter({ phases: 3, variant: "tcp", rows: threePhase }),
  id: 104,
  brand: "Carlo Gavazzi",
  title: "EM24-DIN Ethernet",
  interfaces: ["Ethernet"],
  counterCapacity: 10_000_000,
  samples: [
    {
      of: "now",
      insideAddr: "1",
      exchange: [
        ["010100000006010400000006", "01010000000f01040c08fd0000090a000008fa0000"],
        ["0102000000060104000c000c", "01020000001b0104181482000012ca000017b600002d00000029540000341c0000"],
        ["01030000000601040028000a", "0103000000170104148a700000912800002b98000003ba03b703bc03ba"],
        ["010400000006010400330005", "01040000000d01040a01f4e24000017d680000"],
        ["0105000000060104004e0004", "01050000000b010408007d0000004f0000"],
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
        power_apparent: 3.716,
        power_reactive: 1.116,
        cos1: 0.954,
        cos2: 0.951,
        cos3: 0.956,
        cos0: 0.954,
        Frequency: 50,
      },
      source: "our simulator, 2026-11",
    },
  ],
});

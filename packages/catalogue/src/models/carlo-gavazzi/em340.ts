import { defineModel } from "../../model.ts";
import { electricityMeter } from "../../shapes.ts";
import { singlePhase, threePhase } from "./registers.ts";

/**
 * Carlo Gavazzi EM340 on RS-485.
 * Map: EM330/EM340/ET330/ET340 communication protocol, the same as the EM24 Ethernet's; voltages, currents,
 * active powers, power factors, frequency and active energy compared with public readers. Not yet read from a
 * real meter.
 */
export const em340 = defineModel({
  ...electricityMeter({ phases: 3, variant: "rtu", rows: threePhase }),
  id: 190,
  brand: "Carlo Gavazzi",
  title: "EM340",
  interfaces: ["RS_485"],
  counterCapacity: 100_000_000,
  samples: [
    {
      of: "now",
      insideAddr: "1",
      exchange: [
        ["0104000000067008", "01040c08fd0000090a000008fa000004fc"],
        ["0104000c000c300c", "0104181482000012ca000017b600002d00000029540000341c0000ddc8"],
        ["01040028000af005", "0104148a700000912800002b98000003ba03b703bc03ba91cf"],
        ["010400330005c006", "01040a01f4e24000017d680000dc59"],
        ["0104004e000491de", "010408007d0000004f0000b8dd"],
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

/**
 * Carlo Gavazzi EM111, single-phase. Map: EM111 communication protocol, from the list alone. Not yet read
 * from a real meter.
 */
export const em111 = defineModel({
  ...electricityMeter({ phases: 1, variant: "rtu", rows: singlePhase }),
  id: 191,
  brand: "Carlo Gavazzi",
  title: "EM111",
  interfaces: ["RS_485"],
  counterCapacity: 100_000_000,
  samples: [
    {
      of: "now",
      insideAddr: "1",
      exchange: [
        ["01040000000a700d", "01041408fd0000148200008a700000912800002b9800007c10"],
        ["0104000e000611cb", "01040c03ba01f4e24000017d680000eb8d"],
        ["010400200004f003", "010408007d0000004f0000b8dd"],
      ],
      gives: {
        tariff0: 12345.6,
        tariff_reactive0: 3210.4,
        tariff_negative0: 12.5,
        tariff_reactive_negative0: 7.9,
        voltage1: 230.1,
        current1: 5.25,
        power_active: 3.544,
        power_apparent: 3.716,
        power_reactive: 1.116,
        cos0: 0.954,
        Frequency: 50,
      },
      source: "our simulator, 2026-11",
    },
  ],
});

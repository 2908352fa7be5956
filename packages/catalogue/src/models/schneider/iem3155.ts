import { defineModel } from "../../model.ts";
import { electricityMeter } from "../../shapes.ts";
import { rows } from "./registers.ts";

/**
 * Map: Schneider Electric, iEM3100/iEM3200 series user manual, Modbus register list. First voltage and import
 * energy compared with public readers of this series; the rest from the manual's list. Not yet read from a
 * real meter.
 */
export const iem3155 = defineModel({
  ...electricityMeter({ phases: 3, variant: "rtu", rows }),
  id: 103,
  evidence: [
    {
      kind: "software",
      source: "volkszaehler/mbmd, meters/rs485/iem3000.go, commit fb8f9c22f121",
      compared: "Addresses of all 17 registers of the map",
    },
  ],
  brand: "Schneider Electric",
  title: "iEM3155",
  interfaces: ["RS_485"],
  counterCapacity: 1_000_000_000,
  samples: [
    {
      of: "now",
      insideAddr: "1",
      exchange: [
        ["01030bb7000677ca", "01030c40a800004099eb8540c23d710959"],
        ["01030bd300063615", "01030c4366199a436766664365cccdb7fd"],
        ["01030bed0008d61d", "0103103f9374bc3f876c8b3faac0834062d0e5be1d"],
        ["01030bfb0002b7de", "0103043f8ed9178d92"],
        ["01030c030002375b", "010304406dd2f2a30b"],
        ["01030c250002d690", "0103044247eb85d10d"],
        ["01030c830008b6b4", "0103100000000000bc610000000000000030d4cbef"],
        ["01030c930008b771", "010310000000000030fca00000000000001edc2e9b"],
      ],
      gives: {
        tariff0: 12345.6,
        tariff_negative0: 12.5,
        tariff_reactive0: 3210.4,
        tariff_reactive_negative0: 7.9,
        current1: 5.25,
        current2: 4.81,
        current3: 6.07,
        voltage1: 230.1,
        voltage2: 231.4,
        voltage3: 229.8,
        power_active1: 1.152,
        power_active2: 1.058,
        power_active3: 1.334,
        power_active: 3.544,
        power_reactive: 1.116,
        power_apparent: 3.716,
        Frequency: 49.98,
      },
      source: "our simulator, 2026-11",
    },
  ],
});

import { defineModel } from "../../model.ts";
import { electricityMeter } from "../../shapes.ts";
import { rows } from "./registers.ts";

/**
 * Schneider Electric PowerLogic PM5320, read over its Ethernet port.
 * Map: PM5300 series user manual, Modbus register list, the same numbers as the iEM3000 family. From the list
 * alone: not compared with a real meter.
 */
export const pm5320 = defineModel({
  ...electricityMeter({ phases: 3, variant: "tcp", rows }),
  id: 183,
  brand: "Schneider Electric",
  title: "PowerLogic PM5320",
  deviceTypeId: 29,
  interfaces: ["Ethernet"],
  counterCapacity: 1_000_000_000,
  samples: [
    {
      of: "now",
      insideAddr: "1",
      exchange: [
        ["01010000000601030bb70006", "01010000000f01030c40a800004099eb8540c23d71"],
        ["01020000000601030bd30006", "01020000000f01030c4366199a436766664365cccd"],
        ["01030000000601030bed0008", "0103000000130103103f9374bc3f876c8b3faac0834062d0e5"],
        ["01040000000601030bfb0002", "0104000000070103043f8ed917"],
        ["01050000000601030c030002", "010500000007010304406dd2f2"],
        ["01060000000601030c250002", "0106000000070103044247eb85"],
        ["01070000000601030c830008", "0107000000130103100000000000bc610000000000000030d4"],
        ["01080000000601030c930008", "010800000013010310000000000030fca00000000000001edc"],
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

/**
 * Schneider Electric iEM3255: the iEM3155 for current transformers.
 * Map: iEM3100/iEM3200 series user manual; compared with public readers of this family. Not yet read from a
 * real meter.
 */
export const iem3255 = defineModel({
  ...electricityMeter({ phases: 3, variant: "rtu", rows }),
  id: 184,
  evidence: [
    {
      kind: "software",
      source: "volkszaehler/mbmd, meters/rs485/iem3000.go, commit fb8f9c22f121",
      compared: "Addresses of all 17 registers of the map",
    },
  ],
  brand: "Schneider Electric",
  title: "iEM3255",
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

import { defineModel } from "../../model.ts";
import { electricityMeter } from "../../shapes.ts";
import { sdm120 as rows } from "./registers.ts";

/**
 * Map: Eastron SDM220-Modbus protocol, the same as the SDM120's; compared with public readers. Not yet read
 * from a real meter.
 */
export const sdm220 = defineModel({
  ...electricityMeter({ phases: 1, variant: "rtu", rows, maxRegisters: 80 }),
  id: 181,
  evidence: [
    {
      kind: "software",
      source: "volkszaehler/mbmd, meters/rs485/sdm220.go, commit fb8f9c22f121",
      compared: "Addresses of all 11 registers of the map",
    },
  ],
  brand: "Eastron",
  title: "SDM220-Modbus",
  interfaces: ["RS_485"],
  counterCapacity: 100_000,
  samples: [
    {
      of: "now",
      insideAddr: "1",
      exchange: [
        ["01040000000271cb", "0104044366199a85e4"],
        ["01040006000291ca", "01040440a800006fa4"],
        ["0104000c0002b1c8", "010404455d80001e9a"],
        ["010400120002d1ce", "010404456840005e94"],
        ["010400180002f1cc", "010404448b8000fe9e"],
        ["0104001e000211cd", "0104043f743958a420"],
        ["01040046000a91d8", "0104144247eb854640e666414800004548a66640fccccd36a1"],
      ],
      gives: {
        tariff0: 12345.6,
        tariff_negative0: 12.5,
        tariff_reactive0: 3210.4,
        tariff_reactive_negative0: 7.9,
        voltage1: 230.1,
        current1: 5.25,
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

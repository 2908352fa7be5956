import type { RegisterRow } from "@metrum/protocols";
import type { FieldName } from "@metrum/vocabulary";
import { defineModel } from "../../model.ts";
import { electricityMeter } from "../../shapes.ts";

const long = (address: number, field: FieldName, scale: number, msgType: 1 | 2 = 2): RegisterRow => ({
  address,
  table: "input",
  type: "i32",
  order: "CDAB",
  scale,
  field,
  msgType,
  noValue: [0x7fffffff],
});

const short = (address: number, field: FieldName, scale: number): RegisterRow => ({
  address,
  table: "input",
  type: "i16",
  scale,
  field,
  msgType: 2,
  noValue: [0x7fff],
});

/**
 * Layout: int32 with the low word first, int16. Units on the wire: 0.1 V, 0.001 A, 0.1 W (VA, var), 0.001 of the power factor,
 * 0.1 Hz, 0.1 kWh (kvarh); the largest value means overflow.
 */
const rows: readonly RegisterRow[] = [
  long(0x00, "voltage1", 0.1),
  long(0x02, "voltage2", 0.1),
  long(0x04, "voltage3", 0.1),
  long(0x0c, "current1", 0.001),
  long(0x0e, "current2", 0.001),
  long(0x10, "current3", 0.001),
  long(0x12, "power_active1", 0.0001),
  long(0x14, "power_active2", 0.0001),
  long(0x16, "power_active3", 0.0001),
  long(0x28, "power_active", 0.0001),
  long(0x2a, "power_apparent", 0.0001),
  long(0x2c, "power_reactive", 0.0001),
  short(0x2e, "cos1", 0.001),
  short(0x2f, "cos2", 0.001),
  short(0x30, "cos3", 0.001),
  short(0x31, "cos0", 0.001),
  short(0x33, "Frequency", 0.1),
  long(0x34, "tariff0", 0.1, 1),
  long(0x36, "tariff_reactive0", 0.1, 1),
  long(0x4e, "tariff_negative0", 0.1, 1),
  long(0x50, "tariff_reactive_negative0", 0.1, 1),
];

/**
 * Map: Carlo Gavazzi, EM24-DIN Ethernet communication protocol. Voltages, currents, active powers, frequency and active energy
 * compared with public readers of this meter; power factors and reactive energy from the family's list. The RS-485 version has
 * another map. Not yet read from a real meter by us.
 */
export const em24Ethernet = defineModel({
  ...electricityMeter({ phases: 3, variant: "tcp", rows }),
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

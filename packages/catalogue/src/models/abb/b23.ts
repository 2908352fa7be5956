import type { RegisterRow, RegisterType } from "@metrum/protocols";
import type { FieldName } from "@metrum/vocabulary";
import { defineModel } from "../../model.ts";
import { electricityMeter } from "../../shapes.ts";

/** Largest value of a type: what the meter sends for a value that it does not have. */
const noValue = {
  u16: [0xffff],
  i16: [0x7fff],
  u32: [0xffffffff],
  i32: [0x7fffffff],
  u64: [2 ** 64],
} satisfies Partial<Record<RegisterType, number[]>>;

const row = (address: number, type: keyof typeof noValue, field: FieldName, scale: number): RegisterRow => ({
  address,
  table: "holding",
  type,
  scale,
  field,
  msgType: type === "u64" ? 1 : 2,
  noValue: noValue[type],
});

/**
 * Layout: big-endian integers of 1, 2 and 4 registers. Units on the wire: 0.01 kWh (kvarh), 0.1 V, 0.01 A, 0.01 W (var, VA),
 * 0.01 Hz, 0.001 of the power factor.
 */
const rows: readonly RegisterRow[] = [
  row(0x5000, "u64", "tariff0", 0.01),
  row(0x5004, "u64", "tariff_negative0", 0.01),
  row(0x500c, "u64", "tariff_reactive0", 0.01),
  row(0x5010, "u64", "tariff_reactive_negative0", 0.01),
  row(0x5b00, "u32", "voltage1", 0.1),
  row(0x5b02, "u32", "voltage2", 0.1),
  row(0x5b04, "u32", "voltage3", 0.1),
  row(0x5b0c, "u32", "current1", 0.01),
  row(0x5b0e, "u32", "current2", 0.01),
  row(0x5b10, "u32", "current3", 0.01),
  row(0x5b14, "i32", "power_active", 0.000_01),
  row(0x5b16, "i32", "power_active1", 0.000_01),
  row(0x5b18, "i32", "power_active2", 0.000_01),
  row(0x5b1a, "i32", "power_active3", 0.000_01),
  row(0x5b1c, "i32", "power_reactive", 0.000_01),
  row(0x5b24, "i32", "power_apparent", 0.000_01),
  row(0x5b2c, "u16", "Frequency", 0.01),
  row(0x5b3a, "i16", "cos0", 0.001),
  row(0x5b3b, "i16", "cos1", 0.001),
  row(0x5b3c, "i16", "cos2", 0.001),
  row(0x5b3d, "i16", "cos3", 0.001),
];

/**
 * Map: ABB B23/B24 user manual 2CMC485003M0201, chapter "Communication with Modbus". Active energy, power, frequency and the
 * "no value" codes compared with public readers of this meter. Not yet read from a real meter by us.
 */
export const b23 = defineModel({
  ...electricityMeter({ phases: 3, variant: "rtu", rows }),
  id: 105,
  brand: "ABB",
  title: "B23",
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

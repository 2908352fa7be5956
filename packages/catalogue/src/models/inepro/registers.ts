import type { RegisterRow } from "@metrum/protocols/modbus";
import { rowsAt } from "../../registerRows.ts";

const float = { table: "holding", type: "f32", msgType: 2 } as const;

/**
 * Map of the PRO380 and of meters made after it.
 * Source: Inepro PRO380-Mod user manual. Layout: float32, high word first. Units on the wire: V, A, kW, kvar,
 * kVA, Hz, kWh, kvarh.
 */
export const rows: readonly RegisterRow[] = [
  ...rowsAt(float, {
    voltage1: 0x5002,
    voltage2: 0x5004,
    voltage3: 0x5006,
    Frequency: 0x5008,
    current1: 0x500c,
    current2: 0x500e,
    current3: 0x5010,
    power_active: 0x5012,
    power_active1: 0x5014,
    power_active2: 0x5016,
    power_active3: 0x5018,
    power_reactive: 0x501a,
    power_reactive1: 0x501c,
    power_reactive2: 0x501e,
    power_reactive3: 0x5020,
    power_apparent: 0x5022,
    power_apparent1: 0x5024,
    power_apparent2: 0x5026,
    power_apparent3: 0x5028,
    cos0: 0x502a,
    cos1: 0x502c,
    cos2: 0x502e,
    cos3: 0x5030,
  }),
  ...rowsAt({ ...float, msgType: 1 }, { tariff0: 0x600c, tariff_negative0: 0x6018 }),
];

/** The PRO380 counts by two tariffs, and also reactive energy. */
export const pro380Rows: readonly RegisterRow[] = [
  ...rows,
  ...rowsAt(
    { ...float, msgType: 1 },
    {
      tariff1: 0x600e,
      tariff2: 0x6010,
      tariff_negative1: 0x601a,
      tariff_negative2: 0x601c,
      tariff_reactive0: 0x6030,
      tariff_reactive_negative0: 0x603c,
    },
  ),
];

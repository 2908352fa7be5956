import type { RegisterRow } from "@metrum/protocols/modbus";
import { defineModel } from "../../model.ts";
import { rowsAt } from "../../registerRows.ts";
import { electricityMeter, polledControls } from "../../shapes.ts";

const short = { table: "holding", type: "u16", msgType: 2 } as const;
const signed = { table: "holding", type: "i16", msgType: 2 } as const;
const counter = { table: "holding", type: "u32", msgType: 1, scale: 0.01 } as const;

/** Layout: uint16, int16 and uint32. Units on the wire: 0.01 kWh, 0.1 V, 0.01 A, W, var, 0.001, 0.01 Hz. */
const rows: readonly RegisterRow[] = [
  ...rowsAt(counter, { tariff_negative0: 0x08, tariff0: 0x0a }),
  ...rowsAt({ ...short, scale: 0.1 }, { voltage1: 0x0c }),
  ...rowsAt({ ...short, scale: 0.01 }, { current1: 0x0d, Frequency: 0x11 }),
  ...rowsAt({ ...signed, scale: 0.001 }, { power_active: 0x0e }),
  ...rowsAt({ ...short, scale: 0.001 }, { power_reactive: 0x0f, cos0: 0x10 }),
];

/**
 * Hiking DDS238-2 ZN/SR, a meter for one phase with a relay that register 1Ah switches. It takes only the
 * function that writes many registers. Not yet read from a real meter.
 */
export const dds238 = defineModel({
  ...electricityMeter({
    phases: 1,
    variant: "rtu",
    rows,
    outputs: { power: { register: 0x1a, on: 1, off: 0, isMany: true } },
  }),
  id: 108,
  evidence: [
    {
      kind: "document",
      source: "fawno/Modbus, DDS238-2 ZN-S Modbus.md",
      compared: "Addresses and scales of the registers of the map, and how the relay is written",
    },
  ],
  brand: "Hiking",
  title: "DDS238-2 ZN/SR",
  interfaces: ["RS_485"],
  controls: { ...polledControls, relay_state: {}, power: {} },
  counterCapacity: 1_000_000,
  samples: [
    {
      of: "now",
      insideAddr: "1",
      exchange: [["01030008000a440f", "010314000004e20012d68008fd020d0dd8045c03ba1386751e"]],
      gives: {
        tariff0: 12345.6,
        tariff_negative0: 12.5,
        voltage1: 230.1,
        current1: 5.25,
        power_active: 3.544,
        power_reactive: 1.116,
        Frequency: 49.98,
        cos0: 0.954,
      },
      source: "our simulator, 2026-11",
    },
  ],
});

import type { FuzzTarget } from "../core/fuzz/fuzz.ts";
import { decodeP1 } from "./decode.ts";
import { p1 } from "./driver.ts";
import { p1Equipment } from "./equipment.ts";
import { p1Stream } from "./stream.ts";
import { encodeTelegram } from "./telegram.ts";

const meter = p1({ fields: ["tariff0", "tariff1", "tariff2", "power_active", "voltage1", "current1"] });
const device = { insideAddr: "", deviceID: "12345678", impulseWeight: 1, startingValue: 0 };

const seeds: readonly Uint8Array[] = [
  meter.encode(device, () => 12.5, 1_795_251_600).payload,
  encodeTelegram("MTR5\\2SIM-1", [
    "0-1:24.1.0(003)",
    "0-1:96.1.0(4730303339303031)",
    "0-1:24.2.1(200426223001S)(00246.138*m3)",
    "0-2:24.1.0(4)",
    "0-2:24.3.0(161107190000)(00)(60)(1)(0-1:24.2.1)(GJ)",
    "(00001.001)",
  ]),
];

/** Without its checksum mutated bytes reach the lines. */
function opened(bytes: Uint8Array): Uint8Array {
  const cut = bytes.lastIndexOf(0x21);
  return cut < 0 ? bytes : Uint8Array.from([...bytes.subarray(0, cut + 1), 13, 10]);
}

const reader: FuzzTarget = {
  name: "p1",
  seeds,
  decode: (bytes) => {
    const open = opened(bytes);
    p1Stream(1024).push(bytes);
    meter.explain(bytes, 0);
    meter.decode(open, 0, device);
    p1({ reads: "gas" }).decode(open, 0, device);
    return decodeP1(bytes, { trace: [] });
  },
};

/** The telegram with and without its checksum, and its sender. */
export const p1Fuzz: readonly FuzzTarget[] = [
  reader,
  { name: "p1-equipment", seeds, decode: (bytes) => p1Equipment(opened(bytes)) },
];

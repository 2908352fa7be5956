import { fromHex } from "../core/bytes.ts";
import type { FuzzTarget } from "../core/fuzz/fuzz.ts";
import { vegaSi11 } from "./driver.ts";
import { decodeSi11 } from "./si11.ts";

const driver = vegaSi11();

/**
 * Packets of every kind, built by hand from the layout of the manual; the first byte of a seed is the port.
 */
export const vegaSi11Fuzz: FuzzTarget = {
  name: "vega-si11",
  seeds: [
    "02 01 62 06 00b81969 15 10270000 01000000 00000000 ffffffff",
    "02 02 62 46 03 00b81969 10270000 01000000 00000000 ffffffff",
    "02 00 62 00b81969 15 10270000 01000000 00000000 ffffffff 06",
    "02 02 62 00b81969 15 10270000 01000000 00000000 ffffffff 26",
    "03 00 0400 01 01 0800 02 e803",
    "03 01",
    "04 ff 00b81969",
  ].map(fromHex),
  decode: (bytes) => {
    const port = bytes[0] ?? 0;
    decodeSi11(bytes.subarray(1), port, { trace: [] });
    return driver.decode(bytes.subarray(1), port, { impulseWeight: 0.01, startingValue: 0 });
  },
};

import type { FuzzTarget } from "../core/fuzz/fuzz.ts";
import { decodeIec62056, explainIec } from "./decode.ts";
import { iecReadings } from "./readings.ts";
import { parseDataLines } from "./dataLine.ts";
import { bccOf, commandBlock, dataBlock, matchMessage, optionSelect, signOn } from "./message.ts";
import { bytesOf, textOf, withEvenParity } from "./text.ts";

const block = dataBlock(
  "0.9.1(122334)\r\n0.9.2(261122)\r\n1.8.0(000123.456*kWh)(0001)\r\n1.8.0*01(000100.0*kWh)\r\n0.1.2*01(2611010000)\r\n!\r\n",
);
const plan = {
  rows: [{ obis: "1.8.0", field: "tariff0", isBilled: true }],
  clock: { date: "0.9.2", time: "0.9.1" },
  billing: { stamp: "0.1.2" },
  utcOffsetMinutes: 60,
} as const;

/** The bytes unchanged and with a valid block check: mutated bytes must get past it to reach the lines. */
export const iec62056Fuzz: FuzzTarget = {
  name: "iec62056-21",
  seeds: [
    signOn("12345678"),
    bytesOf("/MTR5\\2SIM-1\r\n"),
    optionSelect({ baud: "5", mode: "1" }),
    block,
    withEvenParity(block),
    commandBlock("P0", "(12345678)"),
    commandBlock("R1", "1.8.0()"),
    commandBlock("B0"),
    dataBlock("(ERR12)"),
  ],
  decode: (bytes) => {
    const sealed = bytes.slice();
    if (sealed.length > 2) sealed[sealed.length - 1] = bccOf(sealed.subarray(1, -1));
    explainIec(sealed);
    matchMessage(sealed);
    iecReadings(plan, parseDataLines(textOf(bytes.subarray(1, -2))));
    return decodeIec62056(bytes, { trace: [] });
  },
};

import { toHex } from "../core/bytes.ts";
import { putInChecks } from "./blocks.ts";

/** A telegram received by a simulated receiver, without radio checksums. */
export interface SimulatedReception {
  readonly telegram: Uint8Array;
  /** Epoch seconds UTC. */
  readonly at: number;
  /** Field strength in dBm. */
  readonly rssi: number;
}

/** Receivers with one text line per telegram. */
export type LineReceiverKind = "rtl_wmbus" | "culfw";

/**
 * The line of a receiver, with its end: the reverse of `telegramOfLine`, for the simulator.
 * Source and layout: rtl-wmbus as in `telegramOfLine`, mode T1, without check sums, the link id is the number
 * of the sender; culfw: `b`, format A with check sums, link quality and the level register of the CC1101.
 * Units: the register counts half decibels, offset 74. Errors: none.
 */
export function lineOfTelegram(kind: LineReceiverKind, heard: SimulatedReception): string {
  return kind === "culfw" ? culfwLine(heard) : rtlWmbusLine(heard);
}

function rtlWmbusLine({ telegram, at, rssi }: SimulatedReception): string {
  const time = new Date(at * 1000).toISOString().replace("T", " ").replace("Z", "");
  const level = String(Math.round(rssi));
  const sender = toHex(telegram.slice(4, 8).toReversed());
  return `T1;1;1;${time};${level};${level};${sender};0x${toHex(telegram)}\n`;
}

/** Bits 0-6 are the quality, the highest one reports a complete telegram. */
const linkQuality = 0x80;

function culfwLine({ telegram, rssi }: SimulatedReception): string {
  const checked = putInChecks(telegram, "A");
  const level = Math.round((rssi + 74) * 2) & 0xff;
  return `b${toHex(Uint8Array.of(...checked, linkQuality, level)).toUpperCase()}\r\n`;
}

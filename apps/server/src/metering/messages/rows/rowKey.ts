import type { Row } from "./types.ts";

type Key = Pick<Row, "device" | "msgType" | "ts">;

/** The order in which every batch takes its locks, which prevents deadlocks between batches. */
export function compareKeys(a: Key, b: Key): number {
  return a.device.id - b.device.id || a.msgType - b.msgType || a.ts - b.ts;
}

export const rowKeyOf = ({ device, msgType, ts }: Key): string =>
  `${String(device.id)} ${String(msgType)} ${String(ts)}`;

import { randomBytes } from "node:crypto";

/** Between the beginning of the Gregorian calendar, from which time-based UUIDs count, and 1970. */
const gregorianMs = 12_219_292_800_000n;
const ticksPerMs = 10_000n;

/**
 * A time-based UUID, version 1 of RFC 9562, with random clock sequence and node: two of the same millisecond
 * differ, and no address of this machine is disclosed.
 */
export function timeUuid(nowMs: number): string {
  const random = randomBytes(10);
  const ticks = (BigInt(nowMs) + gregorianMs) * ticksPerMs + BigInt(random.readUInt16BE(8) % 10_000);
  const time = ticks.toString(16).padStart(15, "0");
  // The variant of RFC 9562, and the multicast bit that marks a node which is no address.
  random[0] = ((random[0] ?? 0) & 0x3f) | 0x80;
  random[2] = (random[2] ?? 0) | 0x01;
  const rest = random.toString("hex");
  return [time.slice(7), time.slice(3, 7), `1${time.slice(0, 3)}`, rest.slice(0, 4), rest.slice(4, 16)].join(
    "-",
  );
}

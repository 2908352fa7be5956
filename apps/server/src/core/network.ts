import { isIP } from "node:net";

/** A subscriber usually has a whole IPv6 /64, so its addresses count as one. IPv4-mapped IPv6 is IPv4. */
export function networkOf(address: string): string {
  const [plain = address] = address.split("%");
  const embedded = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(plain)?.[1];
  if (embedded !== undefined || isIP(plain) !== 6) return embedded ?? plain;
  const [head = "", tail] = plain.toLowerCase().split("::");
  const before = head.split(":").filter((part) => part !== "");
  const after = (tail ?? "").split(":").filter((part) => part !== "");
  const zeros = tail === undefined ? 0 : 8 - before.length - after.length;
  const groups = [...before, ...Array.from({ length: Math.max(0, zeros) }, () => "0"), ...after];
  return `${groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(":")}::/64`;
}

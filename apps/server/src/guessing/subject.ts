import { createHash } from "node:crypto";
import { isIP } from "node:net";
import type { Kind } from "./limits.ts";

/** What failures are counted for. */
export interface Subject {
  readonly kind: Kind;
  readonly key: Buffer;
}

/** Whose try it is: the account by its e-mail in lower case, and where the try comes from. */
export interface Who {
  readonly account?: string | undefined;
  readonly address: string;
}

/** The subjects of a try, always in the same order, so that two tries never wait for each other in a ring. */
export function subjectsOf({ account, address }: Who): Subject[] {
  const own = account === undefined ? [] : [subject("account", account), subject("code", account)];
  return [...own, subject("address", networkOf(address))].toSorted((a, b) => a.key.compare(b.key));
}

export function subject(kind: Kind, name: string): Subject {
  return { kind, key: createHash("sha256").update(`${kind}:${name}`).digest() };
}

/** One subscriber has a whole IPv6 network of 64 bits: its addresses are one. IPv4 inside IPv6 is IPv4. */
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

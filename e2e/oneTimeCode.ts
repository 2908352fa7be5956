import { createHmac } from "node:crypto";

/**
 * The code of an authenticator app with this Base32 key (RFC 6238): the present one, or that of steps away.
 */
export function codeOf(key: string, steps = 0): string {
  const signs = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
  const bits = key
    .replaceAll(/\s/g, "")
    .replaceAll(/./g, (sign) => signs.indexOf(sign).toString(2).padStart(5, "0"));
  const bytes = Buffer.from((bits.match(/.{8}/g) ?? []).map((each) => Number.parseInt(each, 2)));
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 30_000) + steps));
  const mac = createHmac("sha1", bytes).update(counter).digest();
  const at = (mac.at(-1) ?? 0) & 15;
  return String((mac.readUInt32BE(at) & 0x7fffffff) % 1_000_000).padStart(6, "0");
}

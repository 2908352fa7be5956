import { createHash } from "node:crypto";
import { workPrefix } from "@metrum/contract";

/**
 * The price of a captcha without eyes: 16 parts of 2^16 hashes on average, a second of a desktop and some five to ten of a
 * phone. Many small parts, so that it takes nearly the same time each time and its progress can be told.
 */
export const work = { difficulty: 16, parts: 16 } as const;

/** Whether an answer holds the nonces of every part of the salt. */
export function isWorkDone(answer: string, salt: string): boolean {
  if (!answer.startsWith(workPrefix)) return false;
  const nonces = answer.slice(workPrefix.length).split(",");
  return (
    nonces.length === work.parts &&
    nonces.every((nonce, part) => /^\d{1,15}$/.test(nonce) && isEnough(`${salt}:${String(part)}:${nonce}`))
  );
}

function isEnough(text: string): boolean {
  const hash = createHash("sha256").update(text).digest();
  return hash.readUInt32BE(0) >>> (32 - work.difficulty) === 0;
}

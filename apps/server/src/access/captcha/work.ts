import { createHash } from "node:crypto";
import { workPrefix } from "@metrum/contract/access";

/**
 * Difficulty of the proof of work that replaces a captcha for users who cannot see the image: 16 parts of
 * 2^16 hashes on average, a second on a desktop and five to ten on a phone. Many small parts keep the
 * duration nearly constant and allow a progress display.
 */
export const work = { difficulty: 16, parts: 16 } as const;

/** Whether an answer holds a valid nonce for every part of the salt. */
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

import { createHash, randomBytes } from "node:crypto";
import type { Challenge } from "@metrum/contract/access";
import type { ProblemInput } from "@metrum/contract/core";
import { problem, type Problem } from "@metrum/contract/core";
import type { Db } from "#core";
import { drawCaptcha } from "./image.ts";
import { keep, take } from "./store.ts";
import { isWorkDone, work } from "./work.ts";

/** A captcha expires after this time: security rule 2.7. */
const livesMs = 5 * 60_000;

export interface Captcha {
  /** Data URL. */
  readonly image: string;
  readonly key: string;
  readonly challenge: Challenge;
}

/** Creates a captcha for one attempt. Its answer never leaves the server. */
export async function makeCaptcha(db: Db, nowMs: number): Promise<Captcha> {
  const { image, text } = drawCaptcha();
  const key = randomBytes(24).toString("base64url");
  const salt = randomBytes(16).toString("hex");
  const expires_at = new Date(nowMs + livesMs);
  await keep(db, { key_hash: hashOf(key), answer: text.toLowerCase(), salt, expires_at });
  return { image, key, challenge: { salt, ...work } };
}

/** The key and the answer sent with a request. */
export interface Answered {
  readonly captcha?: string | undefined;
  readonly captcha_key?: string | undefined;
}

/**
 * Checks the answer and invalidates the captcha, whether the answer is right or wrong. Case and spaces are
 * ignored. Returns the reason of a refusal (no answer; an unknown, used or expired key; a wrong answer);
 * undefined when the answer is right.
 */
export async function refusalOfCaptcha(
  db: Db,
  { captcha, captcha_key }: Answered,
  nowMs: number,
): Promise<Problem | undefined> {
  if (!captcha || !captcha_key) return refusal("captcha_needed", ["captcha", "captcha_key"]);
  const row = await take(db, hashOf(captcha_key), nowMs);
  if (!row) return refusal("captcha_wrong", ["captcha_key"]);
  const answer = captcha.replaceAll(/\s/g, "");
  const isRight = answer.toLowerCase() === row.answer || isWorkDone(answer, row.salt);
  return isRight ? undefined : refusal("captcha_wrong", ["captcha"]);
}

function refusal(code: "captcha_needed" | "captcha_wrong", fields: readonly string[]): Problem {
  const attributes: ProblemInput["attributes"] = Object.fromEntries(fields.map((field) => [field, [code]]));
  return problem(code, { attributes });
}

function hashOf(key: string): Buffer {
  return createHash("sha256").update(key).digest();
}

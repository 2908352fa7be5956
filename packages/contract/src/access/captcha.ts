import { z } from "zod/mini";
import { publicCall } from "../core/call.ts";

/** Prefix of a captcha answer by proof of work: "pow:12,7,40211,...", one nonce per part. */
export const workPrefix = "pow:";

/** Proof of work for users who cannot read the image. */
const Challenge = z.object({
  salt: z.string(),
  difficulty: z.int().check(z.describe("number of leading zero bits of each hash")),
  parts: z
    .int()
    .check(
      z.describe(
        "for each part n from 0, a nonce (decimal) for which SHA-256 of the text `salt:n:nonce` begins with that many zero bits",
      ),
    ),
});
export type Challenge = z.infer<typeof Challenge>;

/** The captcha: required after too many failed attempts. */
export const captcha = {
  get: publicCall({
    id: "auth.captcha",
    method: "GET",
    path: "captcha",
    summary:
      "A captcha for one attempt within 5 minutes: an image to read or, as an alternative to sight, a proof of work for the browser",
    reply: z.object({
      image: z.string().check(z.describe("data URL")),
      key: z.string(),
      challenge: Challenge,
    }),
    perMinute: 60,
  }),
};

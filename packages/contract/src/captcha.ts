import { z } from "zod/mini";
import { publicCall } from "./core/call.ts";

/** Prefix of a captcha answer by proof of work: "pow:12,7,40211,...", one nonce per part. */
export const workPrefix = "pow:";

/** Proof of work for users who cannot read the image. */
const Challenge = z.object({
  salt: z.string(),
  difficulty: z.int().check(z.describe("zero bits that each hash begins with")),
  parts: z
    .int()
    .check(
      z.describe(
        "for each part n from 0 a nonce (decimal) is sought so that SHA-256 of the text `salt:n:nonce` begins with these bits",
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
    summary: "A captcha for one try: an image to read or, without eyes, work for the browser; 5 minutes",
    reply: z.object({
      image: z.string().check(z.describe("data URL")),
      key: z.string(),
      challenge: Challenge,
    }),
    perMinute: 60,
  }),
};

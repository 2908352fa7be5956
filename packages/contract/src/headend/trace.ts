import { z } from "zod/mini";

/** Meaning of a part of a frame: a code of the vocabulary (`traceCodes`) with its arguments. */
const Term = z.object({
  code: z.string(),
  n: z.optional(z.union([z.string(), z.number()])),
  field: z.optional(z.string()),
  register: z.optional(z.object({ table: z.enum(["input", "holding"]), address: z.int(), type: z.string() })),
  path: z.optional(z.string()).check(z.describe("position in a structure, counted from one")),
  part: z.optional(z.string()),
  phase: z.optional(z.int()).check(z.describe("1 to 3; 0 is their total")),
  unit: z.optional(z.string()).check(z.describe("in the notation of the protocol")),
  count: z.optional(z.number()),
  detail: z.optional(z.string()),
  isDecrypted: z.optional(z.boolean()),
  isContinued: z.optional(z.boolean()),
  isUnchecked: z.optional(z.boolean()).check(z.describe("check field of a frame with a masked secret")),
});
const Name = z.union([z.string(), Term]);

/** A step of an exchange: a code of the vocabulary (`stepCodes`), alone or with arguments. */
export const StepName = z.union([
  z.string(),
  z.catchall(
    z.object({ code: z.string() }),
    z.union([z.string(), z.number(), z.object({ local: z.string() }), Term]),
  ),
]);

/** One named stretch of a frame. */
export const Span = z.object({
  offset: z.int(),
  bytes: z.int(),
  name: Name.check(z.describe("code that names the bytes, alone or with arguments")),
  value: z
    .nullable(
      z.union([
        z.string(),
        z.number(),
        z.object({ word: Name }),
        z.object({ local: z.string(), season: z.optional(z.enum(["summer", "winter"])) }),
        z.object({ hex: z.number(), bytes: z.int() }),
      ]),
    )
    .check(z.describe("text or number, a code, a time of the device's own clock, a number in hexadecimal")),
});
export type Span = z.infer<typeof Span>;

import { z } from "zod/mini";
import { call } from "../../core/call.ts";

/**
 * Bytes and rows of one file (security rule 5.1), and the bytes of a company in a minute: three of the
 * largest files.
 */
export const importBounds = {
  fileBytes: 20 * 1024 * 1024,
  rows: 200_000,
  bytesPerMinute: 60 * 1024 * 1024,
} as const;

/** Files of readings of several devices. */
export const imports = {
  readings: call({
    id: "imports.readings",
    isOwn: true,
    hasForeignText: true,
    method: "POST",
    path: "device/messages/import_file",
    right: "4:update",
    reach: "branch",
    summary:
      "Imports a file of readings, CSV or JSON, as a part named `file` or as text: all rows or, if some are wrong, none, with the errors by row",
    body: z.object({ text: z.optional(z.string().check(z.maxLength(1_000_000))) }),
    reply: z.object({
      readings: z.int(),
      devices: z.int(),
      stored: z.int(),
      quarantined: z
        .int()
        .check(z.describe("time stamp before 2000 or in the future: not stored until a user releases them")),
      suspect: z
        .int()
        .check(
          z.describe(
            "with a value that the trusted readings around it contradict: it counts once it is confirmed",
          ),
        ),
    }),
    problems: ["import_refused", "too_large", "demo_refused", "licence_expired"],
    perMinute: 30,
  }),
};

import { z } from "zod/mini";
import { call } from "../core/call.ts";

/** Rows and bytes of one file; larger ones go through the import of spreadsheets. */
export const pointImportBounds = {
  rows: 1000,
  fileBytes: 20 * 1024 * 1024,
  bytesPerMinute: 60 * 1024 * 1024,
} as const;

export const pointImport = {
  import: call({
    id: "point.import",
    method: "POST",
    path: "objects/accounting_point/import",
    right: "6:create|6:access_all",
    reach: "branch",
    summary:
      "Makes accounting points of a spreadsheet, as a part named `file`, or of CSV text: all rows or, if some are wrong, none, with the errors by row",
    body: z.object({ text: z.optional(z.string().check(z.maxLength(1_000_000))) }),
    reply: z.object({
      imported: z.int(),
      unused_columns: z.array(z.string()).check(z.describe("headings of columns that were not read")),
    }),
    problems: [
      "demo_refused",
      "import_refused",
      "sheet_refused",
      "too_large",
      "point_limit",
      "tied_devices_only",
    ],
    perMinute: 30,
  }),
};

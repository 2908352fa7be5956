import { z } from "zod/mini";
import { call } from "../core/call.ts";
import { Id, IdText, Nothing, Seconds, ShortText } from "../core/values.ts";
import { sheetImportBounds, sheetStates } from "../metering/imports/sheetImports.ts";

/** A file of the smart import: its rows are kept with what became of each. */
const ImportFile = z.object({
  id: Id,
  name: z.string(),
  status: z.enum(sheetStates),
  user_name: z.string(),
  row_count: z.int(),
  done_count: z.int().check(z.describe("rows that the present step has passed")),
  counts: z.object({ made: z.int(), changed: z.int(), same: z.int(), refused: z.int() }),
  created_at: Seconds,
  kept_until: Seconds.check(z.describe("until then it can be undone")),
});
export type ImportFile = z.infer<typeof ImportFile>;

const reads = "6:read|6:access_all";
const params = z.object({ id: IdText });
const Flag = z.optional(z.enum(["true", "false", "1", "0", ""]));

/**
 * Objects with their accounting points, devices and parties from one file. The steps are those of every import from
 * a spreadsheet (`sheetImports`, kind objects): rehearsal, run and undo.
 */
export const smartImport = {
  start: call({
    id: "object.smartImport",
    method: "POST",
    path: "objects/smart_import",
    right: "6:create|6:access_all",
    reach: "company",
    summary:
      "Takes a file, XLSX or CSV, as a part named `file` or CSV as text, and begins to check its rows; those in order are stored then, unless dry_run asks for the rehearsal only",
    query: z.object({ dry_run: Flag }),
    body: z.object({
      file_name: z.optional(ShortText),
      text: z.optional(z.string().check(z.maxLength(1_000_000))),
    }),
    reply: z.object({ file: ImportFile }),
    problems: ["sheet_refused", "too_large", "tied_devices_only", "demo_refused"],
    perMinute: 30,
  }),
  files: call({
    id: "object.importFiles",
    method: "GET",
    path: "objects/smart_import/files",
    right: reads,
    reach: "branch",
    summary: `Files of the smart import, newest first; they are kept for ${String(sheetImportBounds.keptDays)} days`,
    reply: z.object({ files: z.array(ImportFile) }),
  }),
  file: call({
    id: "object.importFile",
    method: "GET",
    path: "objects/smart_import/file/:id",
    right: reads,
    reach: "branch",
    summary: "One file with the reasons of its refusals; its rows come by sheetImport.rows",
    params,
    reply: z.object({
      file: ImportFile,
      reasons: z.array(
        z.object({ column: z.nullable(z.int()), code: z.string(), text: z.string(), count: z.int() }),
      ),
    }),
    problems: ["not_found"],
  }),
  delete: call({
    id: "object.importFileDelete",
    method: "DELETE",
    path: "objects/smart_import/file/:id",
    right: "6:delete|6:access_all",
    reach: "company",
    summary: "Deletes a file with its rows; what it has made stays, and can no longer be undone",
    params,
    reply: Nothing,
    problems: ["not_found", "sheet_state", "tied_devices_only", "demo_refused"],
  }),
};

import { z } from "zod/mini";
import { call } from "../../core/call.ts";
import { Id, listInput, paged, Seconds, ShortText } from "../../core/values.ts";

/** Kinds of things that a spreadsheet brings, one kind a file, each row one thing. */
export const thingKinds = ["devices", "gateways", "base_stations"] as const;
export type ThingKind = (typeof thingKinds)[number];
/** And rows of objects, each with its accounting point, device and parties. */
export const sheetKinds = [...thingKinds, "objects"] as const;
export type SheetKind = (typeof sheetKinds)[number];

const rightsOfThings = {
  reads: "4:read|4:access_all",
  begins: "4:create|4:update|4:access_all",
  undoes: "4:delete|4:access_all",
} as const;
/**
 * Rights to see, begin and undo imports of a kind. The calls are open to those who may do so with any kind; rights to
 * the things of a row are checked row by row.
 */
export const sheetRights = {
  devices: rightsOfThings,
  gateways: rightsOfThings,
  base_stations: rightsOfThings,
  objects: {
    reads: "6:read|6:access_all",
    begins: "6:create|6:access_all",
    undoes: "6:delete|6:access_all",
  },
} as const satisfies Readonly<Record<SheetKind, object>>;

/**
 * Bounds of one file (security rule 5.4; `textLength` are the characters of all its cells), the imports of a
 * company that are kept, and for how long.
 */
export const sheetImportBounds = {
  fileBytes: 20 * 1024 * 1024,
  textLength: 32 * 1024 * 1024,
  rows: 50_000,
  columns: 90,
  bytesPerMinute: 60 * 1024 * 1024,
  kept: 10,
  keptDays: 30,
} as const;

/**
 * From a file to its rows in the tables and back. `uploaded` waits for its columns, `rehearsed` for the
 * decision; `rehearsing` and `running` go on by themselves; `interrupted` stopped in the middle and can be
 * continued or undone.
 */
export const sheetStates = [
  "uploaded",
  "rehearsing",
  "rehearsed",
  "running",
  "interrupted",
  "done",
  "undone",
] as const;
export type SheetState = (typeof sheetStates)[number];

/** What will happen with a row, and after the run what has happened. */
export const sheetOutcomes = ["made", "changed", "same", "refused"] as const;
export type SheetOutcome = (typeof sheetOutcomes)[number];

const Kind = z.enum(sheetKinds);
const Outcome = z.enum(sheetOutcomes);
const Field = z.string().check(z.maxLength(60));
const Code = z.string().check(z.maxLength(60));

/** A column that a spreadsheet may have; its field is that of the call that makes or changes such a thing. */
const SheetField = z.object({
  field: Field,
  title: z.string(),
  is_key: z.boolean().check(z.describe("finds the thing that a row changes; its column must be there")),
  is_needed: z.boolean().check(z.describe("a new thing needs it; a row that changes one does not")),
  example: z.string(),
});
export type SheetField = z.infer<typeof SheetField>;

const SheetImport = z.object({
  id: Id,
  kind: Kind,
  file_name: z.string(),
  user_name: z.string(),
  state: z.enum(sheetStates),
  headers: z.array(z.string()),
  mapping: z
    .array(z.nullable(z.string()))
    .check(z.describe("field of each column, in their order; null: the column is ignored")),
  row_count: z.int(),
  done_count: z.int().check(z.describe("rows that the present step has passed")),
  counts: z.object({ made: z.int(), changed: z.int(), same: z.int(), refused: z.int() }),
  created_at: Seconds,
  ran_at: z.nullable(Seconds),
  undone_at: z.nullable(Seconds),
  kept_until: Seconds.check(z.describe("until then it can be undone")),
});
export type SheetImport = z.infer<typeof SheetImport>;

const Fault = z.object({
  column: z.nullable(z.int()).check(z.describe("position of the wrong cell, from 0; null: the whole row")),
  code: z.string(),
  text: z.string(),
});

/** A row of the file with what happens to it. */
const ImportedRow = z.object({
  row: z.int().check(z.describe("its number in the file")),
  outcome: z.nullable(Outcome),
  cells: z.array(z.nullable(z.union([z.string(), z.number()]))),
  faults: z.array(Fault),
  reason: z.string().check(z.describe("the faults as one text, with the headings of their columns")),
  before: z
    .array(z.nullable(z.string()))
    .check(
      z.describe("of a row that changes something: former values of the columns that differ, else null"),
    ),
});
export type ImportedRow = z.infer<typeof ImportedRow>;

const Reason = z.object({
  column: z.nullable(z.int()),
  code: z.string(),
  text: z.string(),
  count: z.int(),
});

const body = z.object({ id: Id });
const reply = z.object({ import: SheetImport });
const reads = "4:read|4:access_all|6:read|6:access_all";
const imports = "4:create|4:update|4:access_all|6:create|6:access_all";

/** Import of devices, gateways and base stations from XLSX and CSV: rehearsed first, and undone as a whole. */
export const sheetImports = {
  template: call({
    id: "sheetImport.template",
    isOwn: true,
    rows: "examples.data",
    method: "POST",
    path: "device/sheet/template",
    right: reads,
    reach: "branch",
    summary: "Columns that a spreadsheet of a kind may have, and an example; as a file, a template to fill",
    body: z.object({ kind: Kind }),
    reply: z.object({ fields: z.array(SheetField), examples: paged(ImportedRow) }),
  }),
  upload: call({
    id: "sheetImport.upload",
    isOwn: true,
    method: "POST",
    path: "device/sheet/upload",
    right: imports,
    reach: "branch",
    summary:
      "Takes a spreadsheet, XLSX, XLS, ODS or CSV, as a part named `file` or CSV as text: its first visible sheet; the columns are named by the row with most known headings. Nothing is written yet",
    body: z.object({
      kind: Kind,
      file_name: ShortText.check(z.minLength(1)),
      text: z.optional(z.string().check(z.maxLength(1_000_000))),
    }),
    reply,
    problems: ["sheet_refused", "too_large", "demo_refused"],
    perMinute: 30,
  }),
  list: call({
    id: "sheetImport.list",
    isOwn: true,
    method: "POST",
    path: "device/sheet/list",
    right: reads,
    reach: "branch",
    summary: "Imports of the company, newest first",
    body: z.object({}),
    reply: z.object({ imports: z.array(SheetImport) }),
  }),
  get: call({
    id: "sheetImport.get",
    isOwn: true,
    method: "POST",
    path: "device/sheet/get",
    right: reads,
    reach: "branch",
    summary: "One import with its progress, its counts and the reasons of its refusals",
    body,
    reply: z.object({
      import: SheetImport,
      reasons: z.array(Reason).check(z.describe("why rows are refused, most frequent first")),
    }),
    problems: ["not_found"],
  }),
  rows: call({
    id: "sheetImport.rows",
    isOwn: true,
    rows: "rows.data",
    method: "POST",
    path: "device/sheet/rows",
    right: reads,
    reach: "branch",
    summary: "Rows of an import in the order of the file; as a file with `refused`, those to be corrected",
    body: z.object({
      id: Id,
      page: listInput.page,
      per_page: listInput.per_page,
      search_string: listInput.search_string,
      outcome: z.optional(Outcome),
      code: z.optional(Code).check(z.describe("only rows with this fault")),
      column: z.optional(z.nullable(z.int())).check(z.describe("only with a fault in this column")),
    }),
    reply: z.object({ rows: paged(ImportedRow) }),
    problems: ["not_found"],
  }),
  rehearse: call({
    id: "sheetImport.rehearse",
    isOwn: true,
    method: "POST",
    path: "device/sheet/rehearse",
    right: imports,
    reach: "branch",
    summary: "Begins to check every row as it would be stored, and remembers the columns; nothing is changed",
    body: z.object({
      id: Id,
      mapping: z.array(z.nullable(Field)).check(z.maxLength(sheetImportBounds.columns)),
    }),
    reply,
    problems: ["not_found", "sheet_state", "demo_refused"],
  }),
  run: call({
    id: "sheetImport.run",
    isOwn: true,
    method: "POST",
    path: "device/sheet/run",
    right: imports,
    reach: "branch",
    summary: "Begins to store the rows that the rehearsal makes or changes, or continues an interrupted run",
    body,
    reply,
    problems: ["not_found", "sheet_state", "demo_refused"],
  }),
  undo: call({
    id: "sheetImport.undo",
    isOwn: true,
    method: "POST",
    path: "device/sheet/undo",
    right: "4:delete|4:access_all|6:delete|6:access_all",
    reach: "branch",
    summary:
      "Removes what an import has made and puts back what it has changed, all or nothing: refused if any of it was changed or used since, with the list of those",
    body,
    reply,
    problems: [
      "not_found",
      "sheet_state",
      "sheet_changed_since",
      "period_closed",
      "point_in_balance",
      "demo_refused",
    ],
  }),
};

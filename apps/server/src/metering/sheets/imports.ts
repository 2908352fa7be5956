import { allows, pageSize, problem, type ParsedOf, type ReplyOf } from "@metrum/contract/core";
import {
  sheetImportBounds,
  sheetRights,
  type ImportedRow,
  type sheetImports,
  type SheetImport,
  type SheetKind,
} from "@metrum/contract/metering";
import { record, resolveOne, type Ctx, type SheetReader, type UploadedSheet } from "#core";
import { actingOf } from "./acting.ts";
import { reasonOf, wordsOf, type Naming } from "./faults.ts";
import { fieldsOf, isHeadingOf, keyOf, mappingOf, neededOf } from "./fields.ts";
import * as list from "./listStore.ts";
import * as store from "./store.ts";

declare module "#core" {
  interface Parts {
    readonly sheetReader: SheetReader;
  }
}

const { fileBytes, kept, keptDays } = sheetImportBounds;
const daySec = 86_400;
const largestPage = 2_500;

/** Problems: wrong_input (no file), too_large, sheet_refused, too_many_requests. */
export async function takeUpload(
  ctx: Ctx,
  { kind, file_name, text }: ParsedOf<typeof sheetImports.upload>["body"],
): Promise<number> {
  refuseKind(ctx, kind, "begins");
  const file = ctx.files.get("file");
  if (!file && text === undefined) throw problem("wrong_input", { attributes: { file: ["required"] } });
  if (file && file.length > fileBytes) throw problem("too_large");
  // Read before the transaction, which must not wait for a thread.
  const sheet = await readUpload(ctx, kind, file ?? Buffer.from(text ?? ""));
  const { db, scope, clock } = ctx;
  const mapping = mappingOf(fieldsOf(ctx, kind), sheet.headers, await list.rememberedFields(db, scope, kind));
  await store.dropSurplus(db, scope, kept - 1);
  return store.addImport(db, scope, { kind, file_name, ...sheet, mapping, now: clock.now() });
}

type Act = keyof (typeof sheetRights)[SheetKind];

/** Objects, points and parties are of another module than devices. Problems: right_missing, tied_devices_only. */
export function refuseKind({ scope }: Ctx, kind: SheetKind, act: Act): void {
  if (!allows(sheetRights[kind][act], scope.access)) throw problem("right_missing");
  // A path begins at the top, which a user tied to objects does not see.
  if (kind === "objects" && act !== "reads" && scope.onlyTiedDevices) throw problem("tied_devices_only");
}

/** Imports of the kinds that the user may see. */
export async function visibleImports({ db, scope }: Ctx): Promise<SheetImport[]> {
  return (await list.importsOf(db, scope))
    .filter(({ kind }) => allows(sheetRights[kind].reads, scope.access))
    .map(shown);
}

async function readUpload(ctx: Ctx, kind: SheetKind, file: Buffer): Promise<UploadedSheet> {
  const { parts, scope } = ctx;
  const read = await parts.sheetReader.read(file, scope.companyId, isHeadingOf(fieldsOf(ctx, kind)));
  if ("fault" in read) throw problem("sheet_refused", { attributes: { file: [read.fault] } });
  return read;
}

/** An import as users see it. Problem: not_found. */
export async function openImport(ctx: Ctx, given: number): Promise<SheetImport> {
  const id = await resolveOne(ctx, "sheetImport", given);
  const found = await list.importOf(ctx.db, ctx.scope, id);
  if (!found) throw problem("not_found");
  refuseKind(ctx, found.kind, "reads");
  return shown(found);
}

export function shown({ passed_row: _, ...stored }: store.StoredImport): SheetImport {
  const { headers, mapping } = stored;
  return {
    ...stored,
    headers: [...headers],
    mapping: [...mapping],
    kept_until: stored.created_at + keptDays * daySec,
  };
}

/** An import whose state is about to change, locked. Problem: not_found. */
export async function lockedImport(
  ctx: Ctx,
  given: number,
  act: Act = "begins",
): Promise<store.StoredImport> {
  const id = await resolveOne(ctx, "sheetImport", given);
  const found = await list.importOf(ctx.db, ctx.scope, id, { isLocked: true });
  if (!found) throw problem("not_found");
  refuseKind(ctx, found.kind, act);
  return found;
}

/** Problems: not_found, sheet_state, wrong_input. */
export async function beginRehearsal(
  ctx: Ctx,
  { id: given, mapping }: ParsedOf<typeof sheetImports.rehearse>["body"],
  runsItself = false,
): Promise<number> {
  const { db, scope, clock } = ctx;
  const { id, kind, state, headers } = await lockedImport(ctx, given);
  if (state !== "uploaded" && state !== "rehearsed") throw problem("sheet_state");
  refuseMapping(ctx, kind, { mapping, columns: headers.length });
  await store.rememberFields(
    db,
    scope,
    kind,
    Object.fromEntries(headers.map((name, at) => [name, mapping[at] ?? null])),
  );
  await store.putMapping(db, { id, kind, mapping, keyColumn: mapping.indexOf(keyOf[kind]) });
  await store.beginStep(db, {
    id,
    state: "rehearsing",
    isAnew: true,
    acting: actingOf(ctx),
    now: clock.now(),
    runsItself,
  });
  return id;
}

interface Mapping {
  readonly mapping: readonly (string | null)[];
  readonly columns: number;
}

/** Each column has a field of its own or none, and what every row needs has a column. Problem: wrong_input. */
function refuseMapping(ctx: Ctx, kind: SheetKind, { mapping, columns }: Mapping): void {
  const given = mapping.filter((field) => field !== null);
  const isKnown = given.every((name) => fieldsOf(ctx, kind).some(({ field }) => field === name));
  if (mapping.length !== columns || !isKnown || new Set(given).size < given.length)
    throw problem("wrong_input", { attributes: { mapping: ["wrong"] } });
  if (!given.includes(neededOf(kind)))
    throw problem("wrong_input", { attributes: { mapping: ["required"] } });
}

/** Problems: not_found, sheet_state. */
export async function beginRun(ctx: Ctx, given: number): Promise<number> {
  const { db, clock } = ctx;
  const { id, kind, state, file_name, counts } = await lockedImport(ctx, given);
  if (state !== "rehearsed" && state !== "interrupted") throw problem("sheet_state");
  await store.beginStep(db, {
    id,
    state: "running",
    isAnew: state === "rehearsed",
    acting: actingOf(ctx),
    now: clock.now(),
  });
  await record(ctx, {
    action: "sheet.run",
    subject: `sheet ${String(id)}`,
    after: { kind, file_name, counts },
  });
  return id;
}

/** Why rows are refused; a parameter that is not the same in all of them is left out. */
export async function refusalReasons(ctx: Ctx, found: SheetImport) {
  const naming = { ...found, fields: fieldsOf(ctx, found.kind), language: ctx.language };
  return (await list.reasonsOf(ctx.db, found.id)).map((fault) => ({
    column: fault.column,
    code: fault.code,
    text: reasonOf(fault, naming).replaceAll(/\{\w+\}/g, "…"),
    count: fault.count,
  }));
}

/** One page of the rows. Problem: not_found. */
export async function importedRows(
  ctx: Ctx,
  { id: given, page = 1, per_page = 25, ...filter }: ParsedOf<typeof sheetImports.rows>["body"],
): Promise<ReplyOf<typeof sheetImports.rows>> {
  const found = await openImport(ctx, given);
  const limit = pageSize(per_page, largestPage);
  const rows = await list.rowPage(ctx.db, found.id, { filter, limit, offset: (page - 1) * limit });
  const total = await list.countRows(ctx.db, found.id, filter);
  const naming = { ...found, fields: fieldsOf(ctx, found.kind), language: ctx.language };
  return {
    rows: {
      data: rows.map((row) => shownRow(row, naming)),
      current_page: page,
      last_page: Math.max(1, Math.ceil(total / limit)),
      per_page: limit,
      total,
    },
  };
}

function shownRow(
  { row, outcome, cells, faults, shown: former }: list.StoredRow,
  naming: Naming,
): ImportedRow {
  return {
    row,
    outcome,
    cells: [...cells],
    faults: (faults ?? []).map((fault) => ({
      column: fault.column,
      code: fault.code,
      text: wordsOf(fault, naming.language),
    })),
    reason: (faults ?? []).map((fault) => reasonOf(fault, naming)).join("; "),
    before: naming.headers.map((_, at) => former?.[at] ?? null),
  };
}

import { modelById } from "@metrum/catalogue";
import { Problem } from "@metrum/contract/core";
import type { SheetOutcome } from "@metrum/contract/metering";
import { interfaces, type Language } from "@metrum/vocabulary";
import type { Ctx, Services } from "#core";
import { ctxOf, type Acting } from "./acting.ts";
import { lockGoing, nextRows, type GoingImport, type WaitingRow } from "./batchStore.ts";
import { ProblemOfRow } from "./composed.ts";
import { faultsOf } from "./faults.ts";
import { callField, keyOf, type FieldOfSheet } from "./fields.ts";
import { kindsOfThings, type RowValues } from "./kinds.ts";
import {
  newFaults,
  notesOf,
  readingOf,
  readRow,
  restOf,
  unusedOf,
  withoutFields,
  type Reading,
  type FaultyRow,
} from "./rowValues.ts";
import { keepSavepoint, openSavepoint, undoSavepoint } from "./savepointStore.ts";
import { putProgress, putResults, type Counts, type RowResult, type StoredFault } from "./store.ts";
import { imagesOf, thingsNumbered, type Image } from "./thingStore.ts";

/** Rows of a transaction: locks are held for about a second. */
const rowsAtOnce = 200;

/**
 * Takes the next rows of an import in one transaction: a kill repeats the whole batch and nothing else. What a
 * rehearsal stores is rolled back; a run stores the rows that the rehearsal made or changed. Of composed kinds
 * `together` rows are stored at once, with the outcomes of one after another.
 */
export async function takeBatch(
  services: Services,
  id: number,
  acting: Acting,
  together = rowsAtOnce,
): Promise<void> {
  const after: (() => void)[] = [];
  await services.database.scoped(acting.session.scope, async (db) => {
    const going = await lockGoing(db, id);
    if (!going) return;
    const isRehearsal = going.state === "rehearsing";
    // What is rolled back is announced to nobody.
    const afterCommit = (run: () => void): void => void (isRehearsal || after.push(run));
    const ctx = ctxOf(services, acting, { db, afterCommit });
    const rows = await nextRows(db, going, rowsAtOnce);
    const waiting = isRehearsal
      ? rows
      : rows.filter(({ outcome }) => outcome === "made" || outcome === "changed");
    await openSavepoint(db, "batch");
    const results = await takeRows(ctx, going, { rows: waiting, together });
    if (isRehearsal) await undoSavepoint(db, "batch");
    else await keepSavepoint(db, "batch");
    await putResults(db, id, isRehearsal ? results.map(rehearsed) : results);
    await putProgress(db, passed(going, rows, results), services.clock.now());
  });
  for (const run of after) run();
}

const rehearsed = ({ row, outcome, faults, shown }: RowResult): RowResult => ({
  row,
  outcome,
  ...(faults ? { faults } : {}),
  ...(shown ? { shown } : {}),
});

function passed(going: GoingImport, rows: readonly WaitingRow[], results: readonly RowResult[]) {
  const { id, state, passed_row, done_count, runs_itself } = going;
  const isOver = rows.length < rowsAtOnce;
  const counts = countsAfter(going.counts, rows, results);
  // One that was not to be rehearsed only goes on with the rows that are in order.
  if (isOver && state === "rehearsing" && runs_itself)
    return { id, state: "running" as const, passed_row: 0, done_count: 0, counts };
  return {
    id,
    state: isOver ? (state === "rehearsing" ? ("rehearsed" as const) : ("done" as const)) : state,
    passed_row: rows.at(-1)?.row ?? passed_row,
    done_count: done_count + rows.length,
    counts,
  };
}

function countsAfter(counts: Counts, rows: readonly WaitingRow[], results: readonly RowResult[]): Counts {
  const before = new Map(rows.map(({ row, outcome }) => [row, outcome]));
  const sums: Record<SheetOutcome, number> = { ...counts };
  for (const { row, outcome } of results) {
    const former = before.get(row);
    if (former) sums[former] -= 1;
    sums[outcome] += 1;
  }
  return sums;
}

/** What all rows of a batch share. */
interface Batch extends Reading {
  /** Things that the rows change, by number, as they are before. */
  readonly known: ReadonlyMap<string, Image>;
}

async function takeRows(
  ctx: Ctx,
  going: GoingImport,
  { rows, together }: { readonly rows: readonly WaitingRow[]; readonly together: number },
): Promise<RowResult[]> {
  const { db } = ctx;
  const { kind } = going;
  const batch = await batchOf(ctx, going, rows);
  // Those of earlier batches of a rehearsal are rolled back, so no table counts them.
  const made = going.state === "rehearsing" ? going.counts.made : 0;
  if (kind === "objects") return takeComposed(ctx, batch, { rows, made, together });
  const results = await takeThings(ctx, batch, { rows, made });
  const ids = results.flatMap(({ outcome, thing_id }) => (outcome === "made" && thing_id ? [thing_id] : []));
  const images = await imagesOf(db, kind, ids);
  return results.map((result) => {
    const image = result.outcome === "made" ? images.get(result.thing_id ?? 0) : undefined;
    return image ? { ...result, after_hash: image.hash } : result;
  });
}

const madeOf = (results: readonly RowResult[]): number =>
  results.filter(({ outcome }) => outcome === "made").length;

/** Rows to be stored after `made` others that no table counts. */
interface Waiting {
  readonly rows: readonly WaitingRow[];
  readonly made: number;
}

async function takeThings(ctx: Ctx, batch: Batch, { rows, made }: Waiting): Promise<RowResult[]> {
  const results: RowResult[] = [];
  for (const row of rows) results.push(await takeRow(ctx, batch, row, made + madeOf(results)));
  return results;
}

/** A row whose cells are values. */
interface ReadRow {
  readonly row: number;
  readonly values: RowValues;
}

async function takeComposed(
  ctx: Ctx,
  batch: Batch,
  { rows, made, together }: Waiting & { readonly together: number },
): Promise<RowResult[]> {
  const read = rows.map((waiting) => ({ waiting, ...readRow(batch, waiting) }));
  const isFit = ({ faults }: FaultyRow): boolean => faults.length === 0;
  const faulty = read.filter((row) => !isFit(row));
  const fit = read.filter(isFit).map(({ waiting: { row }, values }) => ({ row, values }));
  // Before the others are stored: what later rows take is not taken yet.
  const results = await refusedTogether(ctx, batch, { rows: faulty, made });
  for (let at = 0; at < fit.length; at += together) {
    const part = { rows: fit.slice(at, at + together), made: made + madeOf(results) };
    results.push(...(await storeTogether(ctx, batch, part)));
  }
  return results.toSorted((one, other) => one.row - other.row);
}

/** How often the rest of a row is checked: values of a wrong kind, wrong values, and those that do not fit together. */
const mostChecks = 3;

/** Refuses rows with the faults of their cells and those of the rest, which is stored for a moment. */
async function refusedTogether(
  ctx: Ctx,
  batch: Batch,
  { rows, made }: { readonly rows: readonly FaultyRow[]; readonly made: number },
): Promise<RowResult[]> {
  const faulty = new Map(rows.map((row) => [row.waiting.row, row]));
  let doubted = rows;
  for (let check = 0; check < mostChecks && doubted.length > 0; check++) {
    const rest = doubted.flatMap((row) => {
      const values = restOf(batch, row);
      return values ? [{ row: row.waiting.row, values }] : [];
    });
    await openSavepoint(ctx.db, "attempt");
    const results = rest.length === 0 ? [] : await storeTogether(ctx, batch, { rows: rest, made });
    await undoSavepoint(ctx.db, "attempt");
    doubted = results.flatMap((result) => withMore(batch, faulty.get(result.row), result) ?? []);
    for (const row of doubted) faulty.set(row.waiting.row, row);
  }
  return [...faulty.values()].map(refusedRow);
}

/** A refused row with its faults in the order of the columns; those of the whole row are last. */
const refusedRow = ({ waiting: { row }, faults }: FaultyRow): RowResult => ({
  row,
  outcome: "refused",
  faults: faults.toSorted(
    (one, other) => (one.column ?? Number.MAX_SAFE_INTEGER) - (other.column ?? Number.MAX_SAFE_INTEGER),
  ),
});

/** A row with the faults that its rest has; undefined if it has none. */
function withMore(
  batch: Batch,
  row: FaultyRow | undefined,
  { outcome, faults = [] }: RowResult,
): FaultyRow | undefined {
  const more = row && outcome === "refused" ? newFaults(batch, row, faults) : [];
  return row && more.length > 0 ? { ...row, faults: [...row.faults, ...more] } : undefined;
}

interface ReadRows {
  readonly rows: readonly ReadRow[];
  readonly made: number;
}

/**
 * Stores rows together. If one of them is refused, or they depend on each other, nothing of it is kept, and parts of
 * them are stored one after another: a wrong row is in the end alone, refused for its own reason, and spoils no other.
 */
async function storeTogether(ctx: Ctx, batch: Batch, { rows, made }: ReadRows): Promise<RowResult[]> {
  const { db, parts } = ctx;
  let wrong: number | undefined;
  await openSavepoint(db, "row");
  try {
    const values = rows.map((row) => row.values);
    const stored = await parts.objectSheets.store(ctx, values, made);
    if (stored?.some(({ outcome }) => outcome !== "same")) await keepSavepoint(db, "row");
    else await undoSavepoint(db, "row");
    if (stored)
      return stored.map(({ outcome, steps }, at) => ({ row: rows[at]?.row ?? 0, outcome, before: steps }));
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    await undoSavepoint(db, "row");
    const [only, ...others] = rows;
    if (only && others.length === 0) return [await storeAlone(ctx, batch, { row: only, made, error })];
    if (error instanceof ProblemOfRow) wrong = error.row;
  }
  const results: RowResult[] = [];
  for (const part of partsOf(rows, wrong))
    results.push(...(await storeTogether(ctx, batch, { rows: part, made: made + madeOf(results) })));
  return results;
}

/** A row that was refused, without what its model does not use; refused if there is another reason. */
async function storeAlone(
  ctx: Ctx,
  batch: Batch,
  { row, made, error }: { readonly row: ReadRow; readonly made: number; readonly error: Problem },
): Promise<RowResult> {
  const { mapping } = batch.going;
  const unused = unusedOf(error, row.values);
  if (unused.length === 0) return { row: row.row, outcome: "refused", faults: faultsOf(error, mapping) };
  const rest = { row: row.row, values: withoutFields(row.values, unused) };
  const [stored] = await storeTogether(ctx, batch, { rows: [rest], made });
  if (!stored) throw new Error("a row has no outcome");
  return noted(stored, notesOf(mapping, unused));
}

/** An outcome with notes, unless it is a refusal, which has reasons. */
const noted = (result: RowResult, notes: readonly StoredFault[]): RowResult =>
  result.outcome === "refused" ? result : { ...result, faults: [...(result.faults ?? []), ...notes] };

/** Rows before the wrong one, it alone, and those after it; halves, if it is not known. */
function partsOf(rows: readonly ReadRow[], wrong: number | undefined): (readonly ReadRow[])[] {
  if (rows.length < 2) throw new Error("a single row depends on no other");
  const middle = wrong ?? Math.ceil(rows.length / 2);
  const after = wrong === undefined ? middle : middle + 1;
  return [rows.slice(0, middle), rows.slice(middle, after), rows.slice(after)].filter(
    (part) => part.length > 0,
  );
}

async function batchOf(ctx: Ctx, going: GoingImport, rows: readonly WaitingRow[]): Promise<Batch> {
  const { db, scope } = ctx;
  const { kind } = going;
  const found = await readingOf(ctx, going, rows);
  if (kind === "objects") return { ...found, known: new Map() };
  const ids = await thingsNumbered(
    db,
    scope,
    kind,
    rows.flatMap(({ key }) => (key ? [key] : [])),
  );
  const images = await imagesOf(db, kind, [...ids.values()]);
  return {
    ...found,
    known: new Map(
      [...ids].flatMap(([key, id]) => {
        const image = images.get(id);
        return image ? [[key, image]] : [];
      }),
    ),
  };
}

async function takeRow(ctx: Ctx, batch: Batch, waiting: WaitingRow, made: number): Promise<RowResult> {
  const read = { waiting, ...readRow(batch, waiting) };
  if (read.faults.length > 0) return refusedAlone(ctx, batch, { row: read, made });
  const result = await attempt(ctx, batch, { row: waiting, values: read.values, made }, true);
  if (result.outcome !== "refused") return result;
  return refusedAlone(ctx, batch, { row: { ...read, faults: result.faults ?? [] }, made });
}

async function refusedAlone(
  ctx: Ctx,
  batch: Batch,
  { row, made }: { readonly row: FaultyRow; readonly made: number },
): Promise<RowResult> {
  let faulty = row;
  for (let check = 0; check < mostChecks; check++) {
    const values = restOf(batch, faulty);
    if (!values) break;
    const result = await attempt(ctx, batch, { row: row.waiting, values, made }, false);
    const more = withMore(batch, faulty, result);
    if (!more) break;
    faulty = more;
  }
  return refusedRow(faulty);
}

/** Stores a row, for good or for a moment. What its model does not use is left out with a note. */
async function attempt(ctx: Ctx, batch: Batch, given: Given, isKept: boolean): Promise<RowResult> {
  const { db } = ctx;
  const { mapping } = batch.going;
  await openSavepoint(db, "row");
  try {
    const result = await storeRow(ctx, batch, given);
    if (!isKept || result.outcome === "same") await undoSavepoint(db, "row");
    else await keepSavepoint(db, "row");
    return result;
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    await undoSavepoint(db, "row");
    const unused = unusedOf(error, given.values);
    if (unused.length === 0)
      return { row: given.row.row, outcome: "refused", faults: faultsOf(error, mapping) };
    const values = withoutFields(given.values, unused);
    return noted(await attempt(ctx, batch, { ...given, values }, isKept), notesOf(mapping, unused));
  }
}

interface Given {
  readonly row: WaitingRow;
  readonly values: RowValues;
  readonly made: number;
}

async function storeRow(ctx: Ctx, batch: Batch, { row, values, made }: Given): Promise<RowResult> {
  const { kind } = batch.going;
  if (kind === "objects") throw new Error("rows of composed kinds are stored together");
  const before = batch.known.get(row.key ?? "");
  if (!before) {
    const thing_id = await kindsOfThings[kind].make(ctx, values, made);
    return { row: row.row, outcome: "made", thing_id };
  }
  const { [keyOf[kind]]: _, ...changed } = values;
  await kindsOfThings[kind].change(ctx, before.id, changed);
  const after = (await imagesOf(ctx.db, kind, [before.id])).get(before.id);
  if (!after || after.hash === before.hash) return { row: row.row, outcome: "same" };
  return {
    row: row.row,
    outcome: "changed",
    shown: formerValues(batch, { before, after, language: ctx.language }),
    thing_id: before.id,
    before: before.image,
    after_hash: after.hash,
  };
}

/** Former texts of the columns whose values differ. */
function formerValues(
  { fields }: Batch,
  { before, after, language }: { readonly before: Image; readonly after: Image; readonly language: Language },
): (string | null)[] {
  return fields.map((field) => {
    if (!field) return null;
    const former = textOf(field, before, language);
    return former === textOf(field, after, language) ? null : former;
  });
}

function textOf({ field, as }: FieldOfSheet, { image, gateway, station }: Image, language: Language): string {
  if (field === "gatewayID") return gateway ?? "";
  if (as === "station") return station ?? "";
  const value = image[field === "timezone_name" ? "timezone" : callField(field)] ?? "";
  if (as === "minutes") return plainText(Number(value) / 60);
  if (as === "model") return modelById(Number(value))?.title ?? "";
  if (as === "interface") return interfaces.find(({ id }) => id === value)?.title[language] ?? "";
  return plainText(value);
}

function plainText(value: unknown): string {
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean"
    ? String(value)
    : "";
}

import type { Db } from "#core";
import { sources, statuses, type FieldName } from "@metrum/vocabulary";
import {
  isVouched,
  sourceOfValue,
  statusOfValue,
  trustedValues,
  type FieldSets,
  type JudgedRow,
} from "../rows/index.ts";
import type { Point } from "../growth/index.ts";
import { readSeries, readSeriesForward, type SeriesRow, type SeriesWanted } from "../read/index.ts";

/**
 * How far back the start of a difference is searched, and how many rows are read at a time until every field
 * has one.
 */
export const reachSec = 62 * 86_400;
const pages = [8, 100, 2_000];
export const [firstPage = 0] = pages;

/** Which values are searched. */
interface Searched {
  readonly names: readonly FieldName[];
  /** Only what a meter or a person has said: neither derived nor estimated. */
  readonly isFirm?: boolean;
}

/** The newest rows before a time, oldest first; `isAll`: there are no others within two months. */
export interface RowsBefore {
  readonly rows: readonly SeriesRow[];
  readonly isAll: boolean;
}

/**
 * The last trusted value of each of these fields before a time, at most two months back unless said: the base of
 * the first row's growth. Rows that are known already are not read. The preceding row may be suspect, or have
 * other fields. Fields without one are absent.
 * Rows: 8 as a rule, 2 108 at most. Index: primary key of message, backwards.
 */
export async function lastTrusted(
  db: Db,
  sets: FieldSets,
  wanted: Pick<SeriesWanted, "deviceId" | "msgType"> &
    Searched & { readonly before: number; readonly from?: number; readonly known?: RowsBefore },
): Promise<Map<FieldName, Point>> {
  const { before, from = before - reachSec, isFirm = false, known = notKnown } = wanted;
  const search = { missing: new Set(wanted.names), found: new Map<FieldName, Point>(), isFirm };
  for (const row of known.rows.toReversed()) if (row.ts >= from) take(row, search);
  let to = (known.rows[0]?.ts ?? before) - 1;
  for (const limit of known.isAll ? [] : known === notKnown ? pages : pages.slice(1)) {
    if (search.missing.size === 0) break;
    const rows = await readSeries(db, sets, { ...wanted, from, to, limit });
    for (const row of rows.toReversed()) take(row, search);
    const oldest = rows[0];
    if (!oldest || rows.length < limit) break;
    to = oldest.ts - 1;
  }
  return search.found;
}

const notKnown: RowsBefore = { rows: [], isAll: false };

/**
 * The first trusted value of each of these fields in a period, both ends inclusive. Fields without one are
 * absent. Rows: 8 as a rule, 108 at most. Index: primary key of message, forwards.
 */
export async function firstTrusted(
  db: Db,
  sets: FieldSets,
  wanted: Omit<SeriesWanted, "limit"> & Searched,
): Promise<Map<FieldName, Point>> {
  const { deviceId, msgType, to, isFirm = false } = wanted;
  const found = new Map<FieldName, Point>();
  const missing = new Set(wanted.names);
  let { from } = wanted;
  for (const limit of pages.slice(0, 2)) {
    if (missing.size === 0) break;
    const rows = await readSeriesForward(db, sets, { deviceId, msgType, from, to, limit });
    for (const row of rows) take(row, { missing, found, isFirm });
    const newest = rows.at(-1);
    if (!newest || rows.length < limit) break;
    from = newest.ts + 1;
  }
  return found;
}

/**
 * The trusted values of a field in a period, both ends inclusive, oldest first. Rows: those of the period, which the
 * caller bounds. Index: primary key of message, forwards.
 */
export async function trustedSeries(
  db: Db,
  sets: FieldSets,
  wanted: Omit<SeriesWanted, "limit"> & { readonly name: FieldName },
): Promise<Point[]> {
  const rows = await readSeriesForward(db, sets, { ...wanted, limit: mostOfPeriod });
  return rows.flatMap((row) => {
    const value = trustedValues(row)[row.set.fields.indexOf(wanted.name)] ?? null;
    return value === null ? [] : [{ ts: row.ts, value }];
  });
}

/** Half-hours of three years. */
const mostOfPeriod = 53_000;

function take(
  row: SeriesRow,
  {
    missing,
    found,
    isFirm,
  }: { readonly missing: Set<FieldName>; readonly found: Map<FieldName, Point>; readonly isFirm: boolean },
): void {
  const v = trustedValues(row);
  row.set.fields.forEach((name, at) => {
    const value = v[at] ?? null;
    if (value === null || (isFirm && !isSaid(row, name))) return;
    if (missing.delete(name)) found.set(name, { ts: row.ts, value });
  });
}

/** Whether a meter or a person has said a value: it was neither derived from others nor estimated. */
export function isSaid(row: JudgedRow, name: FieldName): boolean {
  const status = statusOfValue(row, name);
  if (isVouched({ status })) return true;
  return status !== statuses.estimated.id && sourceOfValue(row, name) !== sources.calculated;
}

import { accountingPoints, pointImportBounds } from "@metrum/contract/accounting";
import { Problem, problem } from "@metrum/contract/core";
import type { Ctx, SheetRow, UploadedSheet } from "#core";
import { admitted, faultsOf, mappingOf, readCells, reasonOf, type RowValues } from "#metering/sheets";
import { deviceNumbered } from "../records/index.ts";
import { createPoint, reasonIn, tieDevice } from "../ties/index.ts";
import { importFields } from "./importFields.ts";

/** Errors shown of one file. */
const mostErrors = 100;

/** Points made of a file, and headings of columns that were not read. */
export interface ImportedPoints {
  readonly imported: number;
  readonly unused_columns: string[];
}

/**
 * Makes the points of a file, all or none. Problems: sheet_refused, too_large, and import_refused with the
 * errors by row.
 */
export async function importPoints(ctx: Ctx, { headers, rows }: UploadedSheet): Promise<ImportedPoints> {
  const mapping = mappingOf(importFields, headers, new Map());
  if (importFields.some(({ field, isNeeded }) => isNeeded && !mapping.includes(field)))
    throw problem("sheet_refused", { attributes: { file: ["not_a_table"] } });
  if (rows.length > pointImportBounds.rows) throw problem("too_large");
  let imported = 0;
  const errors: [row: string, messages: string[]][] = [];
  for (const row of rows) {
    const faults = await importRow(ctx, row, { headers, mapping });
    if (faults === undefined) continue;
    if (faults.length === 0) imported += 1;
    else errors.push([`row ${String(row.number)}`, faults]);
    if (errors.length >= mostErrors) break;
  }
  if (errors.length > 0)
    throw problem("import_refused", {
      params: { count: errors.length },
      attributes: Object.fromEntries(errors),
    });
  return { imported, unused_columns: headers.filter((_, at) => mapping[at] === null) };
}

interface Columns {
  readonly headers: readonly string[];
  readonly mapping: readonly (string | null)[];
}

const nothingNamed = {
  kind: "objects",
  stations: new Map<string, number | null>(),
  gateways: new Map<string, string | null>(),
} as const;

/** Makes the point of a row; what is wrong with it, in words. Undefined for a row without values. */
async function importRow(
  ctx: Ctx,
  { cells }: SheetRow,
  { headers, mapping }: Columns,
): Promise<string[] | undefined> {
  const fields = mapping.map((name) => importFields.find(({ field }) => field === name));
  const { values, faults } = readCells(fields, cells, { ...nothingNamed, language: ctx.language });
  if (faults.length === 0 && Object.keys(values).length === 0) return undefined;
  const naming = { fields: importFields, headers, language: ctx.language };
  if (faults.length > 0) return faults.map((fault) => reasonOf(fault, naming));
  try {
    await makePoint(ctx, values);
    return [];
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return faultsOf(ofColumns(error), mapping).map((fault) => reasonOf(fault, naming));
  }
}

/** Columns whose fields have other names in the calls. */
const columnOf: Readonly<Record<string, string>> = {
  device_id: "deviceID",
  accounting_point_id: "title",
  opening: "starting_value",
};

const ofColumns = ({ code, params, attributes }: Problem): Problem =>
  new Problem(code, {
    params,
    attributes: Object.fromEntries(
      Object.entries(attributes).map(([path, faults]) => [
        columnOf[path.split(".")[0] ?? ""] ?? path,
        faults,
      ]),
    ),
  });

/** Problems: those of the calls that make a point and tie a device to it. */
async function makePoint(
  ctx: Ctx,
  { deviceID, starting_value, confirm_reason, ...values }: RowValues,
): Promise<void> {
  const missing = importFields.filter(({ field, isNeeded }) => isNeeded && values[field] === undefined);
  if (missing.length > 0)
    throw problem("wrong_input", {
      attributes: Object.fromEntries(missing.map(({ field }) => [field, ["required"]])),
    });
  const id = await createPoint(ctx, admitted(ctx, accountingPoints.create, values));
  if (typeof deviceID !== "string") {
    if (starting_value === undefined) return;
    throw problem("wrong_input", { attributes: { deviceID: ["required"] } });
  }
  const device_id = await deviceNumbered(ctx.db, ctx.scope, deviceID);
  if (device_id === undefined) throw problem("wrong_input", { attributes: { deviceID: ["unknown_device"] } });
  const reason = reasonIn(confirm_reason);
  const confirmed = reason === undefined ? {} : { confirm: true, confirm_reason: reason };
  await tieDevice(ctx, {
    accounting_point_id: id,
    device_id,
    ...(typeof starting_value === "number" ? { starting_value, ...confirmed } : {}),
  });
}

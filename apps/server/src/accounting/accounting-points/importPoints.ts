import { fieldFault, pointBounds, pointImportBounds, Problem, problem } from "@metrum/contract";
import type { Language } from "@metrum/vocabulary";
import {
  commaIn,
  faultWords,
  problemWords,
  readNumber,
  type Ctx,
  type SheetCell,
  type UploadedSheet,
} from "#core";
import { columnOf, typeNamed, type PointColumn } from "./importColumns.ts";
import { tieDevice } from "./tying.ts";
import type { Confirmation } from "./doubtedReadings.ts";
import { deviceNumbered } from "./deviceStore.ts";
import { createPoint } from "./points.ts";

type Cells = Partial<Record<PointColumn, string>>;

/** Errors shown of one file. */
const mostErrors = 100;

/**
 * Makes the points of a file, all or none. Problems: sheet_refused, too_large, too_many_requests, and
 * import_refused with the errors by row.
 */
export async function importPoints(ctx: Ctx, sheet: UploadedSheet): Promise<number> {
  const columns = sheet.headers.map(columnOf);
  if (!columns.includes("title") || !columns.includes("resource_type_id"))
    throw problem("sheet_refused", { attributes: { file: ["not_a_table"] } });
  if (sheet.rows.length > pointImportBounds.rows) throw problem("too_large");
  const errors: [row: string, message: string][] = [];
  for (const { number, cells } of sheet.rows) {
    const row = cellsOf(columns, cells);
    if (Object.keys(row).length === 0) continue;
    const fault = await faultOf(ctx, row);
    if (fault !== undefined) errors.push([`row ${String(number)}`, fault]);
    if (errors.length >= mostErrors) break;
  }
  if (errors.length > 0)
    throw problem("import_refused", {
      params: { count: errors.length },
      attributes: Object.fromEntries(errors.map(([row, message]) => [row, [message]])),
    });
  return sheet.rows.filter(({ cells }) => Object.keys(cellsOf(columns, cells)).length > 0).length;
}

function cellsOf(columns: readonly (PointColumn | undefined)[], cells: readonly SheetCell[]): Cells {
  return Object.fromEntries(
    columns.flatMap((column, at) => {
      const text = String(cells[at] ?? "").trim();
      return column === undefined || text === "" ? [] : [[column, text]];
    }),
  );
}

/** Makes the point of a row; returns what is wrong with it. */
async function faultOf(ctx: Ctx, row: Cells): Promise<string | undefined> {
  try {
    await makePoint(ctx, row);
    return undefined;
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const fields = Object.keys(error.attributes);
    const faults = Object.values(error.attributes).flat();
    const words = faults.flatMap((each) =>
      typeof each === "string" ? [] : [faultWords(each, ctx.language)],
    );
    const reason = words.length > 0 ? words.join("; ") : problemWords(error.code, ctx.language, error.params);
    return [fields.join(", "), reason].filter((part) => part !== "").join(": ");
  }
}

async function makePoint(ctx: Ctx, row: Cells): Promise<void> {
  const { title = "", city, street, house, innerObject, timezone, comment } = row;
  const resource_type_id = typeNamed(row.resource_type_id ?? "");
  if (resource_type_id === undefined) throw wrong("resource_type_id");
  const reading = { row, language: ctx.language };
  const id = await createPoint(ctx, {
    ...{ title, city, street, house, innerObject, timezone, comment, resource_type_id },
    parent_id: numberIn(reading, "parent_id", { whole: true }),
    transformation_ratio: numberIn(reading, "transformation_ratio", { above: 0 }),
    loss_factor: numberIn(reading, "loss_factor", { below: 1 }),
    contract_power: numberIn(reading, "contract_power"),
    voltage_level_id: numberIn(reading, "voltage_level_id", { whole: true, above: 0, below: 5 }),
  });
  if (row.deviceID === undefined) return;
  const device_id = await deviceNumbered(ctx.db, ctx.scope, row.deviceID);
  if (device_id === undefined) throw wrong("deviceID");
  const starting_value = numberIn(reading, "starting_value");
  await tieDevice(ctx, { accounting_point_id: id, device_id, starting_value, ...confirmationIn(row) });
}

/** The reason for which a starting value counts whatever the device says. Problem: wrong_input. */
function confirmationIn({ starting_value, confirm_reason }: Cells): Confirmation {
  if (confirm_reason === undefined || starting_value === undefined) return {};
  const { reason: most } = pointBounds;
  if (confirm_reason.length > most)
    throw problem("wrong_input", { attributes: { confirm_reason: [fieldFault("text_long", { most })] } });
  return { confirm: true, confirm_reason };
}

interface Read {
  readonly row: Cells;
  readonly language: Language;
}

interface Bounds {
  readonly whole?: boolean;
  readonly above?: number;
  readonly below?: number;
}

/** A number that is not negative; undefined for an empty cell. Problem: wrong_input. */
function numberIn({ row, language }: Read, column: PointColumn, bounds: Bounds = {}): number | undefined {
  const text = row[column];
  if (text === undefined) return undefined;
  const { whole = false, above = -Infinity, below = 1e12 } = bounds;
  const read = readNumber(text, commaIn(language));
  if ("fault" in read && read.fault === "unsure")
    throw problem("wrong_input", { attributes: { [column]: [fieldFault("number_unsure", { text })] } });
  const value = "text" in read ? Number(read.text) : NaN;
  if (!(value >= 0 && value > above && value < below) || (whole && !Number.isInteger(value)))
    throw wrong(column);
  return value;
}

const wrong = (column: PointColumn): Problem =>
  problem("wrong_input", { attributes: { [column]: ["wrong"] } });

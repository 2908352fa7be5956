import { csvText, storedDecimals, type Language } from "@metrum/vocabulary";
import { offsetSec } from "../time/calendar.ts";
import { decimalOf } from "../numbers/decimal.ts";
import { fixedText } from "../numbers/numbers.ts";
import { encoded } from "./encoded.ts";
import { headingOf, type Cell, type Sheet, type SheetColumn } from "./sheet.ts";

/**
 * CSV as spreadsheets open it: UTF-8 with a byte order mark and CRLF; semicolon and decimal comma in Russian,
 * comma and point otherwise; full precision, empty for missing values. Amounts have six decimals.
 */
export async function* csvOf(sheet: Sheet, language: Language): AsyncGenerator<Buffer> {
  const { columns, zone } = sheet;
  const [separator, mark] = language === "ru" ? [";", ","] : [",", "."];
  const cellOf = (cell: Cell, column: SheetColumn | undefined): string => {
    if (cell === null || (typeof cell === "number" && !Number.isFinite(cell))) return "";
    if (typeof cell === "string") return csvText(cell);
    if (column === undefined || column.shows === "plain") return numberIn(cell, column).replace(".", mark);
    return clockText(cell + offsetSec(zone, cell), column.shows === "day");
  };
  const titles = columns.map((column) => csvText(headingOf(column, zone)));
  yield encoded([`\uFEFF${titles.join(separator)}\r\n`]);
  for await (const rows of sheet.rows)
    yield encoded(
      rows.map((row) => `${row.map((cell, at) => cellOf(cell, columns[at])).join(separator)}\r\n`),
    );
}

/** CSV has no format beside a value: fewer decimals than readings are kept with would make it another one. */
const numberIn = (value: number, column: SheetColumn | undefined): string =>
  column?.decimals === undefined ? String(value) : fixedText(decimalOf(value), storedDecimals);

/** DD.MM.YYYY HH:mm:ss of a clock that shows these seconds since 1970. */
function clockText(localSec: number, isDay: boolean): string {
  const iso = new Date(localSec * 1000).toISOString();
  const day = `${iso.slice(8, 10)}.${iso.slice(5, 7)}.${iso.slice(0, 4)}`;
  return isDay ? day : `${day} ${iso.slice(11, 19)}`;
}

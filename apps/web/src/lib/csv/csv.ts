import { csvText, storedDecimals, type Language } from "@metrum/vocabulary";

type Value = string | number | null;

/** All decimals that are stored, in every line of a column. */
const amounts = new Intl.NumberFormat("en-US", {
  useGrouping: false,
  minimumFractionDigits: storedDecimals,
  maximumFractionDigits: storedDecimals,
});

/**
 * Readings for Excel: semicolon and decimal comma in Russian, comma and point otherwise; full precision, empty
 * for missing values.
 */
export function toCsv(rows: readonly (readonly Value[])[], language: Language): string {
  const [separator, mark] = language === "ru" ? [";", ","] : [",", "."];
  const cell = (value: Value): string => {
    if (value === null || (typeof value === "number" && !Number.isFinite(value))) return "";
    if (typeof value === "number") return amounts.format(value).replace(".", mark);
    return csvText(value);
  };
  return `\uFEFF${rows.map((row) => `${row.map(cell).join(separator)}\r\n`).join("")}`;
}

/** Lets the browser save content under a name; a text is CSV. */
export function saveFile(name: string, content: string | Blob): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(
    typeof content === "string" ? new Blob([content], { type: "text/csv;charset=utf-8" }) : content,
  );
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}

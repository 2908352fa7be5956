import type { Language } from "@metrum/vocabulary";

type Value = string | number | null;

/** Text for Excel: semicolon and decimal comma in Russian, comma and point otherwise; full numbers, nothing for nothing. */
export function toCsv(rows: readonly (readonly Value[])[], language: Language): string {
  const [separator, mark] = language === "ru" ? [";", ","] : [",", "."];
  const cell = (value: Value): string => {
    if (value === null || (typeof value === "number" && Number.isNaN(value))) return "";
    if (typeof value === "number") return String(value).replace(".", mark);
    return /["\r\n]/.test(value) || value.includes(separator) ? `"${value.replaceAll('"', '""')}"` : value;
  };
  return `\uFEFF${rows.map((row) => `${row.map(cell).join(separator)}\r\n`).join("")}`;
}

export function saveFile(name: string, text: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type: "text/csv;charset=utf-8" }));
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}

import { parse } from "csv-parse/sync";

/** Digits that a double holds for certain. */
const mostDigits = 15;
const isNumber = (cell: string): boolean => /^-?\d+(\.\d+)?$/.test(cell);

/** Digits that say something: the zeros in front do not, nor those that make the decimals of a column equal. */
export const digitsOf = (text: string): number =>
  text
    .replace(/(\.\d*?)0+$/, "$1")
    .replaceAll(/[-.]/g, "")
    .replace(/^0+/, "").length;

/** What is wrong with the numbers of an English CSV file: a column with several numbers of decimals, or binary noise. */
export function unevenColumns(csv: string): string[] {
  const [headings = [], ...rows]: string[][] = parse(csv, { bom: true });
  return headings.flatMap((heading, at) => {
    const cells = rows.map((row) => row[at] ?? "").filter((cell) => cell !== "");
    if (!cells.every(isNumber)) return [];
    const decimals = new Set(cells.map((cell) => cell.split(".")[1]?.length ?? 0));
    const noise = cells.filter((cell) => digitsOf(cell) > mostDigits);
    return [
      ...(decimals.size > 1 ? [`${heading}: ${[...decimals].join(" and ")} decimals`] : []),
      ...noise.map((cell) => `${heading}: ${cell}`),
    ];
  });
}

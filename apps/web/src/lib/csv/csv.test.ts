import { languages } from "@metrum/vocabulary";
import fc from "fast-check";
import { expect, it } from "vitest";
import { toCsv } from "./csv.ts";

/** The cells of a file as a spreadsheet with this separator reads them. */
function cellsOf(csv: string, separator: string): string[][] {
  const rows: string[][] = [[]];
  let isQuoted = false;
  let cell = "";
  const end = (): void => {
    rows.at(-1)?.push(cell);
    cell = "";
  };
  for (let at = 0; at < csv.length; at += 1) {
    const sign = csv[at] ?? "";
    if (isQuoted && sign === '"' && csv[at + 1] === '"') {
      cell += '"';
      at += 1;
    } else if (sign === '"' && (isQuoted || cell === "")) isQuoted = !isQuoted;
    else if (!isQuoted && sign === separator) end();
    else if (!isQuoted && sign === "\r" && csv[at + 1] === "\n") {
      end();
      rows.push([]);
      at += 1;
    } else cell += sign;
  }
  return rows.slice(0, -1);
}

const text = fc.oneof(
  fc.string({ maxLength: 8 }),
  fc
    .array(fc.constantFrom("=", "+", "-", "@", ",", ";", "\t", '"', "\r", "\n", "1", "a", "|"), {
      maxLength: 8,
    })
    .map((all) => all.join("")),
);
// Readings have six decimals, and the text of -0 is that of 0.
const value = fc.oneof(
  text,
  fc
    .tuple(fc.integer({ min: -(10 ** 15), max: 10 ** 15 }), fc.nat(6))
    .map(([whole, places]) => whole / 10 ** places + 0),
  fc.constantFrom(Number.NaN, Infinity),
  fc.constant(null),
);
const rows = fc.array(fc.array(value, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 4 });
const own = {
  ru: { separator: ";", mark: "," },
  en: { separator: ",", mark: "." },
  mn: { separator: ",", mark: "." },
};

/** Text without the signs that keep it from being a formula. */
const bare = (cell: string): string => cell.replaceAll("'", "");

/** A number of a file; NaN: it has not the decimals that all have. */
const numberIn = (cell: string, mark: string): number =>
  /[.,]\d{6}$/.test(cell) ? Number(cell.replace(mark, ".")) : Number.NaN;

it.each(languages)(
  "TRUST-028 a file has the values that were written: every number, no NaN, every text (%s)",
  (language) => {
    const { separator, mark } = own[language];
    fc.assert(
      fc.property(rows, (written) => {
        const read = cellsOf(toCsv(written, language).slice(1), separator);
        const expected = written.map((row) =>
          row.map((each) => {
            if (each === null) return "";
            if (typeof each === "string") return bare(each);
            return Number.isFinite(each) ? each : "";
          }),
        );
        const shown = read.map((row, line) =>
          row.map((cell, at) =>
            typeof expected[line]?.[at] === "number" ? numberIn(cell, mark) : bare(cell),
          ),
        );

        expect(shown).toEqual(expected);
      }),
      { numRuns: 300 },
    );
  },
);

it.each(languages)(
  "no text becomes a formula, whichever separator a spreadsheet splits it at (%s)",
  (language) => {
    fc.assert(
      fc.property(text, text, (first, second) => {
        for (const separator of [";", ",", "\t", "|"])
          for (const cell of cellsOf(toCsv([[first, second]], language).slice(1), separator).flat())
            expect(cell).not.toMatch(/^(?:[=@]|[+-][^;,\t|\r\n]*[(!|])/);
      }),
      { numRuns: 300 },
    );
  },
);

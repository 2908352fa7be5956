import { languages } from "@metrum/vocabulary";
import fc from "fast-check";
import { unzipSync } from "fflate";
import { expect, test } from "vitest";
import { csvOf } from "./csv.ts";
import type { Cell, Sheet } from "./sheet.ts";
import { xlsxOf } from "./xlsx.ts";

/** Parts of which formulas, separators and quotes can be made. */
const part = fc.constantFrom(
  ...["=", "+", "-", "@", ",", ";", "\t", '"', "\r", "\n", "1", "a", "|", " ", "HYPERLINK(", ")", "'"],
);
const text = fc.oneof(
  fc.string({ maxLength: 8 }),
  fc.array(part, { maxLength: 8 }).map((all) => all.join("")),
);
const cell: fc.Arbitrary<Cell> = fc.oneof(
  text,
  fc.double(),
  fc.constantFrom(Number.NaN, Infinity),
  fc.integer(),
  fc.constant(null),
);
const table = fc.array(fc.array(cell, { minLength: 2, maxLength: 2 }), { minLength: 1, maxLength: 5 });

const sheetOf = (rows: readonly (readonly Cell[])[]): Sheet => ({
  title: "=1+1",
  zone: "Asia/Ulaanbaatar",
  columns: [
    { title: "=1+1", shows: "plain" },
    { title: "Value; 2", shows: "plain" },
  ],
  rows: (async function* () {
    await Promise.resolve();
    yield rows;
  })(),
});

async function bytesOf(content: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of content) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** Text without the signs that keep it from being a formula. */
const bare = (written: string): string => written.replaceAll("'", "");
const isPlain = (written: string): boolean => !/[=+\-@\t\r]/.test(written);

/** The cells of a file, as a spreadsheet reads them whose separator this is. */
function split(file: string, separator: string): string[][] {
  const rows: string[][] = [[]];
  let [cell, isQuoted] = ["", false];
  const end = (): void => {
    rows.at(-1)?.push(cell);
    cell = "";
  };
  const signs = file.replace("\uFEFF", "").split("");
  for (let at = 0; at < signs.length; at += 1) {
    const [sign = "", next] = [signs[at], signs[at + 1]];
    if (isQuoted && sign === '"' && next === '"') {
      cell += '"';
      at += 1;
    } else if (sign === '"' && (isQuoted || cell === "")) isQuoted = !isQuoted;
    else if (!isQuoted && sign === separator) end();
    else if (!isQuoted && sign === "\r" && next === "\n") {
      end();
      rows.push([]);
      at += 1;
    } else cell += sign;
  }
  return rows.slice(0, -1);
}

test.each(languages)(
  "XLS-009 a CSV file has the cells that were written: every number, no NaN, every text (%s)",
  async (language) => {
    const [delimiter, mark] = language === "ru" ? [";", ","] : [",", "."];
    await fc.assert(
      fc.asyncProperty(table, async (rows) => {
        const file = (await bytesOf(csvOf(sheetOf(rows), language))).toString();
        const [headings, ...read] = split(file, delimiter);

        expect(headings).toEqual(["'=1+1", "Value; 2"]);
        for (const [line, row] of rows.entries())
          for (const [at, written] of row.entries()) {
            const found = read[line]?.[at] ?? "";
            if (typeof written === "string") expect(bare(found)).toBe(bare(written));
            if (typeof written === "string" && isPlain(written)) expect(found).toBe(written);
            if (typeof written === "string") continue;
            if (written === null || !Number.isFinite(written)) expect(found).toBe("");
            else expect(Number(found.replace(mark, "."))).toBe(written + 0);
          }
      }),
      { numRuns: 200 },
    );
  },
);

test.each(languages)(
  "XLS-009 no text of a CSV file is a formula, at whichever separator it is split (%s)",
  async (language) => {
    await fc.assert(
      fc.asyncProperty(text, text, async (first, second) => {
        const file = (await bytesOf(csvOf(sheetOf([[first, second]]), language))).toString();
        for (const delimiter of [";", ",", "\t", "|"])
          for (const found of split(file, delimiter).slice(1).flat())
            expect(found).not.toMatch(/^(?:[=@]|[+-][^;,\t|\r\n]*[(!|])/);
      }),
      { numRuns: 500 },
    );
  },
);

test("XLS-009 an XLSX file has texts as texts, numbers as numbers, and no formula, whatever the cells", async () => {
  await fc.assert(
    fc.asyncProperty(table, async (rows) => {
      const files = unzipSync(await bytesOf(xlsxOf(sheetOf(rows))));
      const xml = Buffer.from(files["xl/worksheets/sheet1.xml"] ?? []).toString();
      const numbers = [...xml.matchAll(/<v>(.*?)<\/v>/g)].map(([, value]) => Number(value));
      const written = rows.flat().filter((each) => typeof each === "number" && Number.isFinite(each));

      expect(numbers).toEqual(written.map((each) => Number(each) + 0));
      expect(xml).not.toMatch(/<f[ >]/);
      expect(xml.match(/ t="(?!inlineStr)/)).toBeNull();
    }),
    { numRuns: 100 },
  );
});

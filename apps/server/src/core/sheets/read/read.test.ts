import { deflateRawSync } from "node:zlib";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Cell } from "../sheet.ts";
import { csvOf } from "../csv.ts";
import { xlsxOf } from "../xlsx.ts";
import { zipped } from "../zip.ts";
import { SheetFault } from "./fault.ts";
import { readCsv } from "./readCsv.ts";
import { readXlsx, type SheetRow } from "./readXlsx.ts";

async function bytesOf(content: AsyncIterable<Buffer | string>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of content) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks);
}

async function allOf(batches: AsyncIterable<SheetRow[]> | Iterable<SheetRow[]>): Promise<SheetRow[]> {
  const rows: SheetRow[] = [];
  for await (const batch of batches) rows.push(...batch);
  return rows;
}

const codeOf = async (reading: Promise<unknown>): Promise<string> =>
  reading.then(
    () => "read",
    (error: unknown) => (error instanceof SheetFault ? error.code : String(error)),
  );

const sheetOf = (rows: readonly (readonly Cell[])[]) => ({
  title: "Devices",
  zone: "UTC",
  columns: [
    { title: "Name", shows: "plain" as const },
    { title: "Value", shows: "plain" as const },
  ],
  rows: (async function* () {
    await Promise.resolve();
    yield rows;
  })(),
});

/** A workbook with this sheet and these shared texts. */
function workbook(
  sheet: string | Iterable<string>,
  more: Readonly<Record<string, string>> = {},
): Promise<Buffer> {
  const files: Readonly<Record<string, string | Iterable<string>>> = {
    "xl/workbook.xml": `<x:workbook xmlns:x="m" xmlns:r="o"><x:sheets><x:sheet name="A" r:id="rId7"/><x:sheet name="B" r:id="rId8"/></x:sheets></x:workbook>`,
    "xl/_rels/workbook.xml.rels": `<Relationships><Relationship Id="rId8" Target="worksheets/b.xml"/><Relationship Target='/xl/worksheets/a.xml' Id='rId7'/></Relationships>`,
    "xl/worksheets/a.xml": sheet,
    ...more,
  };
  return bytesOf(
    zipped(
      Object.entries(files).map(([name, content]) => ({
        name,
        content: typeof content === "string" ? [content] : content,
      })),
    ),
  );
}

describe("reading XLSX", () => {
  test("XLS-002 an exported file is read back, text that looks like a formula included", async () => {
    const rows: readonly (readonly Cell[])[] = [
      ["=1+1", 1234.5],
      ["a<b>&\u0001_x0041_\n ", -1e-7],
      [null, 0],
    ];

    const read = await allOf(readXlsx(await bytesOf(xlsxOf(sheetOf(rows)))));

    expect(read).toEqual([
      { number: 1, cells: ["Name", "Value"] },
      ...rows.map((cells, at) => ({ number: at + 2, cells })),
    ]);
  });

  test("XLS-002 the first sheet is read, with shared and rich texts, gaps, formulas and numbers of rows", async () => {
    const sheet =
      `<?xml version="1.0"?><!-- <row> --><x:worksheet xmlns:x="m"><x:sheetData>` +
      `<x:row r="1"><x:c r="A1" t="s"><x:v>1</x:v></x:c><x:c r="C1" t="inlineStr"><x:is><x:r><x:t>in</x:t></x:r><x:r><x:t>line</x:t></x:r></x:is></x:c></x:row>` +
      `<x:row r="2"/><x:row r="5"><x:c r="B5"><x:f>A1&lt;2</x:f><x:v>7.5</x:v></x:c><x:c r="C5" t="b"><x:v>1</x:v></x:c><x:c r="D5" s="3"/><x:c t="str"><x:v>x&#1103;</x:v></x:c></x:row>` +
      `</x:sheetData></x:worksheet>`;
    const shared = `<sst><si><t>no</t></si><si><r><t>Сч</t></r><r><t xml:space="preserve">ёт </t></r><rPh><t>kana</t></rPh></si></sst>`;

    const rows = await allOf(readXlsx(await workbook(sheet, { "xl/sharedStrings.xml": shared })));

    expect(rows).toEqual([
      { number: 1, cells: ["Счёт ", null, "inline"] },
      { number: 5, cells: [null, 7.5, "true", null, "xя"] },
    ]);
  });

  test("a bomb, an entity, a macro, a password and a cut-off file are refused", async () => {
    const spaces = "<row/>".repeat(170_000);
    const bomb = await workbook(
      (function* () {
        yield "<worksheet><sheetData>";
        for (let n = 0; n < 300; n += 1) yield spaces;
      })(),
    );
    const plain = await workbook("<worksheet/>");
    const locked = Buffer.from(plain);
    locked[locked.indexOf(Buffer.from("PK\u0001\u0002")) + 8] = 1;

    expect(bomb.length).toBeLessThan(2 * 1024 * 1024);
    expect(await codeOf(allOf(readXlsx(bomb)))).toBe("too_large");
    expect(
      await codeOf(
        workbook(`<!DOCTYPE a [<!ENTITY b "c">]><worksheet>&b;</worksheet>`).then((each) =>
          allOf(readXlsx(each)),
        ),
      ),
    ).toBe("has_entities");
    expect(await codeOf(workbook(`<worksheet>&b;</worksheet>`).then((each) => allOf(readXlsx(each))))).toBe(
      "has_entities",
    );
    expect(
      await codeOf(
        workbook("<worksheet/>", { "xl/vbaProject.bin": "x" }).then((each) => allOf(readXlsx(each))),
      ),
    ).toBe("has_macros");
    expect(await codeOf(allOf(readXlsx(locked)))).toBe("encrypted");
    expect(await codeOf(allOf(readXlsx(plain.subarray(0, plain.length - 40))))).toBe("not_a_table");
    expect(await codeOf(allOf(readXlsx(Buffer.from("no archive"))))).toBe("not_a_table");
    expect(
      await codeOf(
        workbook(`<worksheet><sheetData><row><c r="ZZ1"><v>1</v></c></row></sheetData></worksheet>`).then(
          (each) => allOf(readXlsx(each)),
        ),
      ),
    ).toBe("too_many_columns");
  });

  test("whatever bytes arrive, a file is read or refused with a code", async () => {
    const good = await workbook("<worksheet><sheetData><row><c><v>1</v></c></row></sheetData></worksheet>");
    await fc.assert(
      fc.asyncProperty(fc.nat(good.length - 1), fc.nat(255), async (at, value) => {
        const bytes = Buffer.from(good);
        bytes[at] = value;
        expect(await codeOf(allOf(readXlsx(bytes)))).toMatch(/^(read|[a-z]+(_[a-z]+)*)$/);
      }),
      { numRuns: 300 },
    );
  });

  test("an archive of stored files is read too, and one of another method is refused", async () => {
    const deflated = deflateRawSync(Buffer.from("<worksheet/>"));
    const bytes = await workbook("<worksheet/>");
    const directory = bytes.lastIndexOf(Buffer.from("PK\u0001\u0002"));
    bytes[directory + 10] = 12;

    expect(deflated.length).toBeGreaterThan(0);
    expect(await codeOf(allOf(readXlsx(bytes)))).toBe("not_a_table");
  });
});

describe("reading CSV", () => {
  test("XLS-002 an exported file is read back in both spellings", async () => {
    const rows: readonly (readonly Cell[])[] = [
      ['=1+"1"; x, y', "-5"],
      ["line\r\nbreak", "@"],
    ];
    for (const language of ["ru", "en"] as const) {
      const bytes = await bytesOf(csvOf(sheetOf(rows), language));

      expect((await allOf(readCsv(bytes))).map(({ cells }) => cells)).toEqual([["Name", "Value"], ...rows]);
    }
  });

  test("knows the Cyrillic code page of Windows, tabs, empty lines and a missing last line end", async () => {
    const windows = Buffer.from([0xd1, 0xf7, 0xb8, 0xf2, 0x3b, 0x31]);

    expect(await allOf(readCsv(windows))).toEqual([{ number: 1, cells: ["Счёт", "1"] }]);
    expect(await allOf(readCsv(Buffer.from("a\tb,c\n\n\t2")))).toEqual([
      { number: 1, cells: ["a", "b,c"] },
      { number: 3, cells: [null, "2"] },
    ]);
    expect(await codeOf(allOf(readCsv(Buffer.from('a;b\n"open'))).then(() => undefined))).toBe("not_a_table");
  });
});

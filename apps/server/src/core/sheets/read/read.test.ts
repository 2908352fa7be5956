import { CFB } from "@e965/xlsx";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { csvOf } from "../csv.ts";
import type { Cell } from "../sheet.ts";
import { xlsxOf } from "../xlsx.ts";
import { archiveOf, bookOf, formatted, sheetXml } from "#testing/books";
import { headed } from "./headed.ts";
import { readSheet } from "./readSheet.ts";
import type { SheetCell } from "./sheetRow.ts";

const limits = { rows: 50_000, columns: 90, textLength: 32 * 1024 * 1024 };

function read(bytes: Uint8Array) {
  const parts = [...readSheet(bytes, limits)];
  return { rows: parts.flatMap(({ rows }) => rows), fault: parts.at(-1)?.fault };
}

function cellsOf(bytes: Uint8Array): (readonly SheetCell[])[] {
  const { rows, fault } = read(bytes);
  if (fault !== undefined) throw new Error(fault);
  return rows.map(({ cells }) => cells);
}

async function bytesOf(content: AsyncIterable<Buffer | string>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of content) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks);
}

const exported = (rows: readonly (readonly Cell[])[]) => ({
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

describe("XLS-002 reading workbooks", () => {
  test("an exported file is read back, text that looks like a formula included", async () => {
    const rows: readonly (readonly Cell[])[] = [
      ["=1+1", 1234.5],
      ["a<b>&\u0001_x0041_\n ", -1e-7],
      [null, 0],
    ];

    expect(read(await bytesOf(xlsxOf(exported(rows)))).rows).toEqual([
      { number: 1, cells: ["Name", "Value"] },
      ...rows.map((cells, at) => ({ number: at + 2, cells })),
    ]);
  });

  test.each(["xlsx", "ods", "biff8"] as const)("%s: texts, numbers, dates and gaps", (type) => {
    const rows = [
      ["Номер", "Дата", "Вес", "Есть"],
      ["M-1", formatted(46_000, "yyyy-mm-dd"), 0.5, true],
      [null, null, 7],
    ];

    expect(cellsOf(bookOf(rows, { type }))).toEqual([
      ["Номер", "Дата", "Вес", "Есть"],
      ["M-1", "2025-12-09", 0.5, "true"],
      [null, null, 7],
    ]);
  });

  test("an old binary workbook is read in its code page", () => {
    const file = Buffer.from(bookOf([["ABCDE"], ["M-1"]], { type: "biff5" }));
    // "Номер" in the page 1251, and the record that names the page.
    file.set([0xcd, 0xee, 0xec, 0xe5, 0xf0], file.indexOf("ABCDE"));
    file[file.indexOf(Buffer.from([0x42, 0, 2, 0, 0xe4, 4])) + 4] = 0xe3;

    expect(cellsOf(file)).toEqual([["Номер"], ["M-1"]]);
  });

  test("FC-64 shared and rich texts, formulas, and parts whose names are written in another case", () => {
    const sheet = sheetXml(
      `<row r="1"><c r="A1" t="s"><v>1</v></c><c r="C1" t="inlineStr"><is><r><t>in</t></r><r><t>line</t></r></is></c></row>` +
        `<row r="2"/><row r="5"><c r="B5"><f>A1&lt;2</f><v>7.5</v></c><c r="C5" t="b"><v>1</v></c><c r="D5" s="3"/><c t="str"><v>x&#1103;</v></c></row>`,
    );
    const shared = `<sst><si><t>no</t></si><si><r><t>Сч</t></r><r><t xml:space="preserve">ёт </t></r><rPh><t>kana</t></rPh></si></sst>`;

    const parts = archiveOf(sheet, { "xl/sharedStrings.xml": shared });
    const renamed = Buffer.from(
      Buffer.from(parts).toString("latin1").replaceAll("xl/sharedStrings", "xl/SharedStrings"),
      "latin1",
    );
    expect(read(renamed).rows).toEqual([
      { number: 1, cells: ["Счёт ", null, "inline"] },
      { number: 5, cells: [null, 7.5, "true", null, "xя"] },
    ]);
  });

  test("FC-60 FC-61 FC-63 numbers keep their zeros and their digits, errors their text", () => {
    const cells = cellsOf(
      bookOf([
        [
          formatted(123_456, "00000000"),
          formatted(1_234_567, "#,##0"),
          formatted(123_456, "000-000"),
          123_456_789_012_345,
          0.1 + 0.2,
          { t: "e", v: 42 },
          formatted(0.5, "hh:mm"),
          formatted(46_000.25, "dd.mm.yyyy hh:mm"),
          formatted(46_000, "[h]:mm"),
        ],
      ]),
    );

    expect(cells).toEqual([
      [
        ...["00123456", 1_234_567, "123-456", 123_456_789_012_345, 0.3],
        ...["#N/A", "12:00:00", "2025-12-09 06:00:00", 46_000],
      ],
    ]);
  });

  test.each(["xlsx", "biff8"] as const)(
    "a number whose format no program can show refuses a damaged file by its name (%s)",
    (type) => {
      expect(read(bookOf([["Serial"], [formatted(123, "00000\u0005")]], { type })).fault).toBe("not_a_table");
    },
  );

  test("FC-68 dates are counted from 1904 where the workbook says so", () => {
    const rows = [[formatted(44_216, "dd.mm.yyyy")]];

    expect(cellsOf(bookOf(rows, { is1904: true }))).toEqual([["2025-01-21"]]);
    expect(cellsOf(bookOf(rows))).toEqual([["2021-01-20"]]);
  });

  test("FC-66 the first sheet that is not hidden is read", () => {
    for (const type of ["xlsx", "biff8"] as const)
      expect(cellsOf(bookOf([["Номер"], ["M-1"]], { type, hidden: true }))).toEqual([["Номер"], ["M-1"]]);
    const table = (name: string, style: string, text: string) =>
      `<table:table table:name="${name}" table:style-name="${style}"><table:table-row><table:table-cell office:value-type="string"><text:p>${text}</text:p></table:table-cell></table:table-row></table:table>`;
    const style = (name: string, display: string) =>
      `<style:style style:name="${name}" style:family="table"><style:table-properties table:display="${display}"/></style:style>`;
    const styles = `<office:automatic-styles>${style("ta1", "false")}${style("ta2", "true")}</office:automatic-styles>`;
    const tables = table("Lists", "ta1", "Hidden") + table("Meters", "ta2", "Номер");

    expect(cellsOf(documentOf(tables, styles))).toEqual([["Номер"]]);
  });

  test("FC-67 the headings stand below a title, in merged cells, above a line of numbers", () => {
    const rows = [
      ["Перечень приборов учёта"],
      [],
      ["№", "Прибор учёта", null, "Адрес"],
      [null, "Зав.\n№", "Тип"],
      [1, 2, 3, 4],
      [1, "M-1", "CE102M", "Ленина 5"],
      [2, "M-2", "CE102M"],
    ];
    const merges = ["A1:D1", "A3:A4", "B3:C3", "D3:D4", "D6:D7"];
    const known = (heading: string) => ["зав. №", "тип", "адрес"].includes(heading.toLowerCase());

    expect(headed(read(bookOf(rows, { merges })).rows, known, limits)).toEqual({
      headers: ["№", "Зав. №", "Тип", "Адрес"],
      rows: [
        { number: 6, cells: [1, "M-1", "CE102M", "Ленина 5"] },
        { number: 7, cells: [2, "M-2", "CE102M", "Ленина 5"] },
      ],
    });
  });

  test("marks without width are no part of a number", () => {
    expect(cellsOf(bookOf([["\u202a0012\u200b3\ufeff", "a\u00a0b"]]))).toEqual([["00123", "a\u00a0b"]]);
  });
});

/** Time of the processor that reading takes. */
function timed(bytes: Uint8Array) {
  const before = process.cpuUsage();
  const { fault, rows } = read(bytes);
  const { user, system } = process.cpuUsage(before);
  return { fault, rows: rows.length, ms: (user + system) / 1000 };
}

describe("hostile workbooks", () => {
  const row = `<row r="1"><c r="A1"><v>1</v></c></row>`;

  test.each([
    ["a bomb", archiveOf(Buffer.alloc(8 * 1024 * 1024, "<row/>")), "too_large"],
    ["many parts that are large together", archiveOf("", bigParts()), "too_large"],
    ["a document type", archiveOf(`<!DOCTYPE a [<!ENTITY b "c">]>${sheetXml("")}`), "has_entities"],
    ["a macro", archiveOf(sheetXml(row), { "xl/vbaProject.bin": "x" }), "has_macros"],
    [
      "a link to another file",
      archiveOf(sheetXml(row), { "xl/externalLinks/externalLink1.xml": "<a/>" }),
      "has_macros",
    ],
    [
      "a row beyond all",
      archiveOf(sheetXml(`<row r="9999999999"><c r="A9999999999"><v>1</v></c></row>`)),
      "not_a_table",
    ],
    ["a row of no number", archiveOf(sheetXml(`<row r="x"><c><v>1</v></c></row>`)), "not_a_table"],
    [
      "a column beyond all",
      archiveOf(sheetXml(`<row r="1"><c r="ZZ1"><v>1</v></c></row>`)),
      "too_many_columns",
    ],
    [
      "a column of many letters",
      archiveOf(sheetXml(`<row r="1"><c r="${"Z".repeat(40)}1"><v>1</v></c></row>`)),
      "too_many_columns",
    ],
    [
      "a text that is not shared",
      archiveOf(sheetXml(`<row r="1"><c r="A1" t="s"><v>7</v></c></row>`)),
      "not_a_table",
    ],
    ["a cut-off file", archiveOf(sheetXml(row)).subarray(0, 600), "not_a_table"],
    [
      "an archive of something else",
      archiveOf("", { "[Content_Types].xml": "<Types/>", "xl/workbook.xml": "" }),
      "not_a_table",
    ],
    ["an OpenDocument sheet of 40 MiB", archiveOf("", { "content.xml": cellsOfSize(40) }), "format_large"],
    [
      "a binary workbook of 7 MiB",
      Buffer.alloc(7 * mib, Buffer.from("d0cf11e0a1b11ae1", "hex")),
      "format_large",
    ],
    ["a repeated cell", repeated(100_000, 1_000), "too_large"],
    ["merged cells", archiveOf(merged(3_000)), "too_large"],
    [
      "a binary workbook of nothing",
      Buffer.from("d0cf11e0a1b11ae1".padEnd(2_000, "0"), "hex"),
      "not_a_table",
    ],
  ])("%s is refused in little time", (_, bytes, code) => {
    const { fault, ms } = timed(bytes);

    expect(fault).toBe(code);
    expect(ms).toBeLessThan(10_000);
  });

  test("a tag of 300,000 letters is no row, and takes no time", () => {
    const { rows, ms } = timed(archiveOf(sheetXml(`${row}<${"a".repeat(300_000)}`)));

    expect(rows).toBe(1);
    expect(ms).toBeLessThan(10_000);
  });

  test("a number of a row with a fraction, names of objects as entities, and a huge dimension harm nothing", () => {
    const sheet =
      `<worksheet><dimension ref="A1:XFD1048576"/><sheetData>` +
      `<row r="2.5"><c t="inlineStr"><is><t>&amp;constructor; &lt;</t></is></c></row></sheetData></worksheet>`;

    expect(read(archiveOf(sheet)).rows).toEqual([{ number: 2, cells: ["&constructor; <"] }]);
  });

  test("whatever byte of a file is another, it is read or refused with a code", () => {
    const good = [
      archiveOf(sheetXml(row)),
      bookOf([["a", 1]], { type: "biff8" }),
      bookOf([["a", 1]], { type: "ods" }),
    ];
    fc.assert(
      fc.property(fc.constantFrom(...good), fc.nat(), fc.nat(255), (file, at, value) => {
        const bytes = Uint8Array.from(file);
        bytes[at % bytes.length] = value;
        expect(read(bytes).fault ?? "read").toMatch(/^[a-z]+(_[a-z]+)*$/);
      }),
      { numRuns: 200 },
    );
  });

  test("remarks of the library on an odd file reach no log, and the console is as before", () => {
    const said: unknown[] = [];
    const { error } = console;
    const recorded = (...words: readonly unknown[]): void => void said.push(words);
    Object.assign(console, { error: recorded });
    try {
      const style = `<number:date-style style:name="N1"><number:quarter/></number:date-style>`;
      const cell = `<table:table-cell office:value-type="string"><text:p>M-1</text:p></table:table-cell>`;
      const table = `<table:table table:name="A"><table:table-row>${cell}</table:table-row></table:table>`;

      expect(cellsOf(documentOf(table, style))).toEqual([["M-1"]]);
      expect(read(documentOf(`${table}<table:table`, "</office:body>")).fault ?? "read").toMatch(/^[a-z_]+$/);
      expect(said).toEqual([]);
      expect(console).toHaveProperty("error", recorded);
    } finally {
      Object.assign(console, { error });
    }
  });

  test("a workbook that needs a password says so", () => {
    const locked = Buffer.from(encryptedBook(), "base64");

    expect(read(locked).fault).toBe("encrypted");
  });
});

const mib = 1024 * 1024;

/** Cells of an OpenDocument sheet, numbered, so that packing leaves more of them than of a bomb. */
function cellsOfSize(mebibytes: number): string {
  const cells: string[] = [];
  for (let length = 0, n = 0; length < mebibytes * mib; n += 1) {
    const cell = `<table:table-cell office:value-type="string"><text:p>${String((n * 7919) % 99_991)}</text:p></table:table-cell>`;
    cells.push(cell);
    length += cell.length;
  }
  return cells.join("");
}

function bigParts(): Record<string, Uint8Array> {
  const part = Buffer.alloc(1024 * 1024, "<a/>");
  return Object.fromEntries(Array.from({ length: 100 }, (_, n) => [`xl/worksheets/s${String(n)}.xml`, part]));
}

/** An OpenDocument workbook of these tables. */
const documentOf = (tables: string, styles = ""): Uint8Array =>
  archiveOf("", {
    "META-INF/manifest.xml": "<manifest/>",
    "styles.xml": "<office:document-styles></office:document-styles>",
    "content.xml": `<office:document-content>${styles}<office:body><office:spreadsheet>${tables}</office:spreadsheet></office:body></office:document-content>`,
  });

function repeated(rows: number, columns: number): Uint8Array {
  const cell = `<table:table-cell table:number-columns-repeated="${String(columns)}" office:value-type="string"><text:p>x</text:p></table:table-cell>`;
  return documentOf(
    `<table:table table:name="A"><table:table-row table:number-rows-repeated="${String(rows)}">${cell}</table:table-row></table:table>`,
  );
}

function merged(rows: number): string {
  const cells = Array.from(
    { length: rows },
    (_, n) => `<row r="${String(n + 1)}"><c r="A${String(n + 1)}"><v>1</v></c></row>`,
  );
  const merges = Array.from({ length: rows }, (_, n) => `<mergeCell ref="A${String(n + 1)}:A1048576"/>`);
  return `<worksheet><sheetData>${cells.join("")}</sheetData><mergeCells>${merges.join("")}</mergeCells></worksheet>`;
}

describe("XLS-002 reading CSV", () => {
  test("an exported file is read back in both spellings", async () => {
    const rows: readonly (readonly Cell[])[] = [
      ['=1+"1"; x, y', "-5"],
      ["line\r\nbreak", "@"],
    ];
    for (const language of ["ru", "en"] as const)
      expect(cellsOf(await bytesOf(csvOf(exported(rows), language)))).toEqual([["Name", "Value"], ...rows]);
  });

  test.each([
    [
      "FC-70 a line that names the separator",
      "sep=;\r\na;b\r\n1;2",
      [
        ["a", "b"],
        ["1", "2"],
      ],
    ],
    ["FC-73 a space after a quote", '"M1" ;"a;b"\n', [["M1", "a;b"]]],
    [
      "quotes within a name",
      'Счётчик "Меркурий";1\n"Меркурий" 230;2\n',
      [
        ['Счётчик "Меркурий"', "1"],
        ['"Меркурий" 230', "2"],
      ],
    ],
    ["doubled quotes and a line break", '"a""b";"c\nd"', [['a"b', "c\nd"]]],
    ["a title above the headings", "Перечень\na,b\n1,2", [["Перечень"], ["a", "b"], ["1", "2"]]],
    [
      "tabs",
      "a\tb,c\n\n\t2",
      [
        ["a", "b,c"],
        [null, "2"],
      ],
    ],
    [
      "three kinds of line ends",
      "a;b\r\nc;d\re;f\n",
      [
        ["a", "b"],
        ["c", "d"],
        ["e", "f"],
      ],
    ],
  ])("%s", (_, text, rows) => {
    expect(cellsOf(Buffer.from(text))).toEqual(rows);
  });

  test("the number of a row is the line of the table, empty ones included", () => {
    expect(read(Buffer.from("sep=;\na;b\n\n;2")).rows.map(({ number }) => number)).toEqual([2, 4]);
  });

  test.each([
    ['a;b\n"open', "not_a_table"],
    ["a;b\n\0\0\0", "not_a_table"],
    [`a${";".repeat(300)}b`, "too_many_columns"],
    ["x".repeat(40_000), "too_large"],
  ])("a file that is no table is refused (%#)", (text, code) => {
    expect(read(Buffer.from(text)).fault).toBe(code);
  });

  const words = [
    "Счёт;1",
    "ИСТИНА;ЛОЖЬ;ДА",
    "Зав. №;Тип\n00123;Меркурий 230",
    "Название;Адрес\nДом;ул. Ленина, 5",
  ];

  test.each(["windows-1251", "ibm866", "koi8-r", "x-mac-cyrillic"])(
    "a file in %s is read, however short",
    (page) => {
      for (const text of words) {
        const bytes = encodedIn(page, text);
        if (bytes)
          expect(
            cellsOf(bytes)
              .map((cells) => cells.join(";"))
              .join("\n"),
          ).toBe(text);
      }
    },
  );

  test("FC-71 UTF-16 is read, of either order, with its mark or without", () => {
    const text = "Номер\tИмя\r\nM-1\tСчётчик";
    const little = Buffer.from(text, "utf16le");
    const big = Buffer.from(little).swap16();
    const wanted = [
      ["Номер", "Имя"],
      ["M-1", "Счётчик"],
    ];

    for (const bytes of [
      little,
      big,
      Buffer.concat([Buffer.from([0xff, 0xfe]), little]),
      Buffer.concat([Buffer.from([0xfe, 0xff]), big]),
    ])
      expect(cellsOf(bytes)).toEqual(wanted);
  });
});

/** The text in a code page, by the table that its decoder gives; nothing if the page lacks a letter. */
function encodedIn(page: string, text: string): Buffer | undefined {
  const decoder = new TextDecoder(page);
  const table = new Map(
    Array.from({ length: 256 }, (_, byte) => [decoder.decode(Buffer.from([byte])), byte]),
  );
  const bytes = Array.from(text, (letter) => table.get(letter));
  return bytes.includes(undefined) ? undefined : Buffer.from(bytes.map((byte) => byte ?? 0));
}

interface CompoundFiles {
  readonly utils: {
    readonly cfb_new: () => object;
    readonly cfb_add: (file: object, name: string, content: Uint8Array) => void;
  };
  readonly write: (file: object, options: { readonly type: "base64" }) => string;
}

/** The container of a workbook with a password: a compound file with the stream EncryptedPackage. */
function encryptedBook(): string {
  const { utils, write } = CFB as CompoundFiles;
  const file = utils.cfb_new();
  utils.cfb_add(file, "/EncryptedPackage", Buffer.alloc(64));
  utils.cfb_add(file, "/EncryptionInfo", Buffer.alloc(64));
  return write(file, { type: "base64" });
}

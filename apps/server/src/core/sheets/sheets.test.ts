import { inflateRawSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { csvOf } from "./csv.ts";
import type { Cell, Sheet } from "./sheet.ts";
import { sheetName, xlsxOf } from "./xlsx.ts";

const zone = "Asia/Ulaanbaatar";
/** 23 November 2026, 17:30:05 in Ulaanbaatar. */
const at = Date.UTC(2026, 10, 23, 9, 30, 5) / 1000;

function sheetOf(rows: readonly (readonly Cell[])[]): Sheet {
  return {
    title: "Devices",
    zone,
    columns: [
      { title: "Name", shows: "plain" },
      { title: "Value", shows: "plain" },
      { title: "Last data", shows: "time" },
      { title: "Until", shows: "day" },
    ],
    rows: (async function* () {
      await Promise.resolve();
      yield rows;
    })(),
  };
}

const amountsOf = (amounts: readonly number[]): Sheet => ({
  ...sheetOf(amounts.map((each) => [each])),
  columns: [{ title: "Amount", shows: "plain", decimals: 3 }],
});

async function bytesOf(content: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of content) chunks.push(chunk);
  return Buffer.concat(chunks);
}

const textOf = async (content: AsyncIterable<Buffer>): Promise<string> => (await bytesOf(content)).toString();

/** Files of an archive, read by its directory. */
function unzipped(archive: Buffer): Map<string, string> {
  const end = archive.lastIndexOf(Buffer.from("PK\u0005\u0006"));
  const files = new Map<string, string>();
  let place = archive.readUInt32LE(end + 16);
  for (let left = archive.readUInt16LE(end + 10); left > 0; left -= 1) {
    const [packed, length] = [archive.readUInt32LE(place + 20), archive.readUInt16LE(place + 28)];
    const local = archive.readUInt32LE(place + 42);
    const start = local + 30 + archive.readUInt16LE(local + 26);
    const name = archive.toString("utf8", place + 46, place + 46 + length);
    files.set(name, inflateRawSync(archive.subarray(start, start + packed)).toString());
    place += 46 + length;
  }
  return files;
}

const cellsIn = (xml: string): string[] => [...xml.matchAll(/<c [^>]*>.*?<\/c>/g)].map(([cell]) => cell);

describe("an XLSX file", () => {
  test("XLS-008 XLS-014 has numbers and times as numbers, the zone in the heading, and no empty cells", async () => {
    const files = unzipped(
      await bytesOf(
        xlsxOf(
          sheetOf([
            ["Meter 1", 1234.567, at, at],
            [null, null, null, null],
          ]),
        ),
      ),
    );

    const sheet = files.get("xl/worksheets/sheet1.xml") ?? "";
    expect(cellsIn(sheet)).toEqual([
      '<c r="A1" s="1" t="inlineStr"><is><t>Name</t></is></c>',
      '<c r="B1" s="1" t="inlineStr"><is><t>Value</t></is></c>',
      '<c r="C1" s="1" t="inlineStr"><is><t>Last data (Asia/Ulaanbaatar)</t></is></c>',
      '<c r="D1" s="1" t="inlineStr"><is><t>Until</t></is></c>',
      '<c r="A2" t="inlineStr"><is><t>Meter 1</t></is></c>',
      '<c r="B2"><v>1234.567</v></c>',
      `<c r="C2" s="2"><v>${String(46349 + (17 * 3600 + 30 * 60 + 5) / 86_400)}</v></c>`,
      '<c r="D2" s="3"><v>46349</v></c>',
    ]);
    expect(sheet).toContain('<row r="3"></row>');
    expect(files.get("xl/workbook.xml")).toContain('<sheet name="Devices"');
  });

  test("TRUST-028 shows all amounts of a column with the same decimals, and keeps their digits", async () => {
    const amounts = [1234.5, 0.123_456, 1_000_000_000_000.878, -3];
    const files = unzipped(await bytesOf(xlsxOf(amountsOf(amounts))));

    const cells = cellsIn(files.get("xl/worksheets/sheet1.xml") ?? "").slice(1);
    expect(cells).toEqual(
      amounts.map((each, at) => `<c r="A${String(at + 2)}" s="8"><v>${String(each)}</v></c>`),
    );
    const styles = files.get("xl/styles.xml") ?? "";
    const formats = [...(/<cellXfs.*<\/cellXfs>/.exec(styles)?.[0] ?? "").matchAll(/<xf numFmtId="(\d+)"/g)];
    expect(styles).toContain(`<numFmt numFmtId="${formats[8]?.[1] ?? ""}" formatCode="#,##0.000"/>`);
    expect(styles).toContain(`<cellXfs count="${String(formats.length)}">`);
  });

  test("XLS-009 keeps text that begins with = + - @ as text, and marks it as quoted", async () => {
    const files = unzipped(
      await bytesOf(xlsxOf(sheetOf([['=HYPERLINK("http://x")'], ["-1"], ["@a"], ["+7 "]]))),
    );

    const cells = cellsIn(files.get("xl/worksheets/sheet1.xml") ?? "").slice(4);
    expect(cells).toHaveLength(4);
    for (const cell of cells) expect(cell).toMatch(/^<c r="A\d" s="4" t="inlineStr"><is><t[^>]*>[=+\-@]/);
    expect(files.get("xl/styles.xml")).toContain('quotePrefix="1"');
    expect([...files.values()].join("")).not.toContain("<f>");
  });

  test("writes characters that XML cannot contain as Excel does", async () => {
    const files = unzipped(await bytesOf(xlsxOf(sheetOf([["a<b>&\u0001_x0041_\ud800"]]))));

    expect(files.get("xl/worksheets/sheet1.xml")).toContain(">a&lt;b&gt;&amp;_x0001__x005F_x0041_\ufffd<");
  });

  test("XLS-007 is printed on 7 by 5 pages", async () => {
    const sheet = unzipped(await bytesOf(xlsxOf(sheetOf([])))).get("xl/worksheets/sheet1.xml");

    expect(sheet).toContain('<pageSetUpPr fitToPage="1"/>');
    expect(sheet).toMatch(/<pageSetup [^>]*fitToWidth="7" fitToHeight="5"/);
  });

  test("XLS-001 has a sheet name in which \\ / * ? : [ ] are underscores", () => {
    expect(sheetName(String.raw`a\b/c*d?e:f[g]h`)).toBe("a_b_c_d_e_f_g_h");
    expect(sheetName("'Приборы учёта, все группы и площадки'")).toBe("_Приборы учёта, все группы и пл");
    expect(sheetName("  ")).toBe("Sheet1");
  });

  test("passes on an error of its row source", async () => {
    const broken = {
      ...sheetOf([]),
      rows: {
        [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(new Error("the connection is lost")) }),
      },
    };

    await expect(bytesOf(xlsxOf(broken))).rejects.toThrow("the connection is lost");
  });
});

describe("a CSV file", () => {
  test("TRUST-028 writes amounts with all decimals that are stored, and other numbers as they are", async () => {
    const amounts = amountsOf([1234.5, 0.123_456, 1_000_000_000_000.878, -3, 1e-7, 0.1 + 0.2, Number.NaN]);

    expect(await textOf(csvOf(amounts, "ru"))).toBe(
      "\ufeffAmount\r\n1234,500000\r\n0,123456\r\n1000000000000,878000\r\n-3,000000\r\n0,000000\r\n0,300000\r\n\r\n",
    );
  });

  test("XLS-014 in Russian has semicolons, decimal commas and times of its zone", async () => {
    const text = await textOf(
      csvOf(
        sheetOf([
          ["Счётчик; 1", 1234.5, at, at],
          [null, -1, null, null],
        ]),
        "ru",
      ),
    );

    expect(text).toBe(
      "\ufeffName;Value;Last data (Asia/Ulaanbaatar);Until\r\n" +
        '"Счётчик; 1";1234,5;23.11.2026 17:30:05;23.11.2026\r\n' +
        ";-1;;\r\n",
    );
  });

  test.each(["ru", "en"] as const)(
    "XLS-009 in %s quotes the separators of every language",
    async (language) => {
      const names = ["x;=1+1", "x,=1+1", "x\t=1+1", "x|=1+1"];
      const text = await textOf(csvOf(sheetOf(names.map((name) => [name])), language));

      expect(text.split("\r\n").slice(1, -1)).toEqual(names.map((name) => `"${name.replace("=", "'=")}"`));
    },
  );

  test("has every row of a batch, in order", async () => {
    const names = Array.from({ length: 47 }, (_, at) => `Счётчик ${String(at)}`);
    const text = await textOf(csvOf(sheetOf(names.map((name) => [name])), "en"));

    expect(text.split("\r\n").slice(1, -1)).toEqual(names);
  });

  test("XLS-009 in English has commas, decimal points, and no text that is a formula", async () => {
    const text = await textOf(
      csvOf(
        sheetOf([
          ['=1+"1"', 0.5, null, null],
          ["-x", -5, null, null],
        ]),
        "en",
      ),
    );

    expect(text.split("\r\n").slice(1)).toEqual([`"'=1+""1""",0.5,,`, "'-x,-5,,", ""]);
  });
});

import { deflateSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { isActivePdf } from "./activePdf.ts";
import { cleanName } from "./fileName.ts";

const pdf = (body: string | Buffer, end = ""): Buffer =>
  Buffer.concat([Buffer.from("%PDF-1.7\n"), Buffer.from(body), Buffer.from(`\n${end}%%EOF`)]);
const packed = (content: string, filter = "/FlateDecode"): Buffer =>
  Buffer.concat([
    Buffer.from(`5 0 obj\n<< /Type /ObjStm /N 1 /First 4 /Filter ${filter} /Length 9 >>\nstream\r\n`),
    deflateSync(content),
    Buffer.from("\nendstream\nendobj"),
  ]);

describe("AP-031 a PDF is a document and nothing else", () => {
  test.each([
    ["a script", "1 0 obj << /S /JavaScript /JS (app.alert(1)) >> endobj"],
    ["a script under a name in hexadecimal", "1 0 obj << /S /J#61v#61Script >> endobj"],
    ["a program to start", "1 0 obj << /S /Launch /F (cmd.exe) >> endobj"],
    ["an action of a page", "1 0 obj << /Type /Page /AA << /O 2 0 R >> >> endobj"],
    ["an attached file", "1 0 obj << /Names << /EmbeddedFiles 3 0 R >> >> endobj"],
    ["a form that is a program", "1 0 obj << /AcroForm << /XFA 3 0 R >> >> endobj"],
    ["a script in packed objects", packed("1 0 << /S /JavaScript >>")],
    ["packed objects that are not read here", packed("1 0 << >>", "/LZWDecode")],
    ["packed objects that do not unpack", packed("1 0").subarray(0, -25)],
  ])("%s is refused", (_, body) => {
    expect(isActivePdf(pdf(body))).toBe(true);
  });

  test("packed objects that are encrypted, or unpack without end, are refused", () => {
    expect(isActivePdf(pdf(packed("1 0 << >>"), "trailer << /Encrypt 9 0 R >>"))).toBe(true);
    expect(isActivePdf(pdf(packed("0".repeat(33 * 1024 * 1024))))).toBe(true);
  });

  test.each([
    [
      "plain",
      "1 0 obj << /Type /Page /Contents 2 0 R >> endobj 2 0 obj << /Length 3 >>\nstream\n/JSx\nendstream",
    ],
    ["with packed objects", packed("1 0 << /Type /Catalog /AAPL 1 /JSON 2 >>")],
  ])("a document is accepted, %s", (_, body) => {
    expect(isActivePdf(pdf(body))).toBe(false);
  });
});

test.each([
  ["old-display.png", "png", "old-display.png"],
  ["", "pdf", "file.pdf"],
  ["../../etc/passwd", "jpg", "passwd.jpg"],
  ["C:\\Users\\me\\Акт 7.PDF", "pdf", "Акт 7.pdf"],
  ["photo\u202egnp.exe", "png", "photognp.png"],
  ["a\u0000b\r\n.svg", "png", "ab.png"],
  [".htaccess", "jpg", "htaccess.jpg"],
  ["...", "jpg", "file.jpg"],
  ["act 12.05.2026", "pdf", "act 12.05.2026.pdf"],
  ["x".repeat(300), "webp", `${"x".repeat(120)}.webp`],
])("AP-031 the name %j of a %s becomes %j", (given, ending, name) => {
  expect(cleanName(given, ending)).toBe(name);
});

import { describe, expect, test } from "vitest";
import { barePicture } from "./bare.ts";

const bytes = (...parts: readonly (string | readonly number[])[]): Buffer =>
  Buffer.concat(
    parts.map((part) => (typeof part === "string" ? Buffer.from(part, "latin1") : Buffer.from(part))),
  );

/** A segment of a JPEG: marker, length, content. */
function segment(marker: number, content: Buffer): Buffer {
  const length = content.length + 2;
  return Buffer.concat([Buffer.from([0xff, marker, length >> 8, length & 0xff]), content]);
}

/** Exif with the orientation and a place, in either byte order. */
function exif(orientation: number, order: "II" | "MM"): Buffer {
  const tiff = Buffer.alloc(8 + 2 + 2 * 12 + 4);
  const isLittle = order === "II";
  const word = (value: number, at: number): unknown =>
    isLittle ? tiff.writeUInt16LE(value, at) : tiff.writeUInt16BE(value, at);
  const long = (value: number, at: number): unknown =>
    isLittle ? tiff.writeUInt32LE(value, at) : tiff.writeUInt32BE(value, at);
  tiff.write(order, 0, "latin1");
  word(42, 2);
  long(8, 4);
  word(2, 8);
  for (const [index, [tag, kind, value]] of [
    [0x0112, 3, orientation],
    [0x8825, 4, 4711],
  ].entries()) {
    const at = 10 + index * 12;
    word(tag ?? 0, at);
    word(kind ?? 0, at + 2);
    long(1, at + 4);
    if (kind === 3) word(value ?? 0, at + 8);
    else long(value ?? 0, at + 8);
  }
  return Buffer.concat([bytes("Exif\0\0"), tiff, bytes("47.9184 N, 106.9177 E")]);
}

const frame = segment(0xc2, Buffer.from([8, 0, 60, 0, 80, 1, 1, 0x11, 0]));
const scan = Buffer.concat([
  segment(0xda, Buffer.from([1, 1, 0, 0, 63, 0])),
  Buffer.from([1, 0xff, 0, 2, 0xff, 0xd0, 3]),
]);
const table = segment(0xc4, Buffer.from([0xff, 0xd9, 0xff, 0xd9]));

const jpeg = (more: readonly Buffer[], behind = ""): Buffer =>
  Buffer.concat([
    Buffer.from([0xff, 0xd8]),
    segment(0xe0, bytes("JFIF\0\u0001\u0001\0\0\u0001\0\u0001\0\0")),
    ...more,
    frame,
    scan,
    table,
    scan,
    Buffer.from([0xff, 0xd9]),
    bytes(behind),
  ]);

function chunk(name: string, content: string | Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(content.length);
  return Buffer.concat([length, bytes(name), Buffer.from(content), Buffer.alloc(4)]);
}
const pngStart = bytes([0x89], "PNG\r\n\u001a\n");
const header = chunk("IHDR", Buffer.from([0, 0, 0, 80, 0, 0, 0, 60, 8, 2, 0, 0, 0]));

function riff(...chunks: readonly Buffer[]): Buffer {
  const body = Buffer.concat([bytes("WEBP"), ...chunks]);
  const head = Buffer.alloc(8);
  head.write("RIFF", "latin1");
  head.writeUInt32LE(body.length, 4);
  return Buffer.concat([head, body]);
}
function webpChunk(name: string, content: Buffer): Buffer {
  const head = Buffer.alloc(8);
  head.write(name, "latin1");
  head.writeUInt32LE(content.length, 4);
  return Buffer.concat([head, content, Buffer.alloc(content.length % 2)]);
}

describe("AP-031 a photograph is kept without what the camera noted", () => {
  test.each(["II", "MM"] as const)(
    "of a JPEG the place, comments and what follows its end go (%s)",
    (order) => {
      const notes = [
        segment(0xe1, exif(1, order)),
        segment(0xed, bytes("Photoshop")),
        segment(0xfe, bytes("mine")),
      ];

      expect(barePicture(jpeg(notes, "a film behind the picture"))?.equals(jpeg([]))).toBe(true);
    },
  );

  test.each(["II", "MM"] as const)(
    "a JPEG stays on the side on which it was, with its colours (%s)",
    (order) => {
      const colours = [
        segment(0xe2, bytes("ICC_PROFILE\0\u0001\u0001profile")),
        segment(0xee, bytes("Adobe\0d\0\0\0\0\u0001")),
      ];
      const bare = barePicture(jpeg([segment(0xe1, exif(6, order)), ...colours])) ?? Buffer.alloc(0);

      expect(bare.includes("106.9177")).toBe(false);
      expect(bare.includes("ICC_PROFILE")).toBe(true);
      expect(bare.includes("Adobe")).toBe(true);
      expect(bare.subarray(0, 38)).toEqual(
        Buffer.concat([
          Buffer.from([0xff, 0xd8, 0xff, 0xe1, 0, 34]),
          bytes("Exif\0\0MM\0*\0\0\0\u0008\0\u0001\u0001\u0012\0\u0003\0\0\0\u0001\0\u0006\0\0\0\0\0\0"),
        ]),
      );
      expect(barePicture(bare)?.equals(bare)).toBe(true);
    },
  );

  test("of a PNG and a WebP the notes go, and nothing of the picture", () => {
    const picture = [header, chunk("PLTE", "rgb"), chunk("IDAT", "pixels")];
    const png = Buffer.concat([
      pngStart,
      ...picture.slice(0, 1),
      chunk("eXIf", "place"),
      chunk("iTXt", "XML:com.adobe.xmp"),
      chunk("prVW", "the uncropped original"),
      ...picture.slice(1),
      chunk("tEXt", "Author"),
      chunk("IEND", ""),
      bytes("behind"),
    ]);
    const extended = (flags: number): Buffer =>
      webpChunk("VP8X", Buffer.from([flags, 0, 0, 0, 79, 0, 0, 59, 0, 0]));
    const pixels = webpChunk("VP8L", Buffer.from([0x2f, 1, 2]));
    const webp = riff(
      extended(0b0001_1100),
      pixels,
      webpChunk("EXIF", bytes("place")),
      webpChunk("XMP ", bytes("x")),
    );

    expect(barePicture(png)?.equals(Buffer.concat([pngStart, ...picture, chunk("IEND", "")]))).toBe(true);
    expect(barePicture(webp)?.equals(riff(extended(0b0001_0000), pixels))).toBe(true);
  });

  test("a picture that is cut off, or is none, gives nothing, at any place", () => {
    for (const whole of [
      jpeg([segment(0xe1, exif(6, "II"))]),
      Buffer.concat([pngStart, header, chunk("IDAT", "pixels"), chunk("IEND", "")]),
      riff(webpChunk("VP8X", Buffer.alloc(10)), webpChunk("VP8L", Buffer.from([0x2f, 1, 2, 3]))),
    ])
      for (let length = 0; length < whole.length; length++)
        expect(barePicture(whole.subarray(0, length)), String(length)).toBeUndefined();
    expect(barePicture(bytes("<svg/>"))).toBeUndefined();
  });
});

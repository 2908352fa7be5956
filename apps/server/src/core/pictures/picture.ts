export interface Picture {
  readonly type: "png" | "jpg" | "webp";
  readonly width: number;
  readonly height: number;
}

/**
 * Type of a file by its first bytes, not by its name, with the size of its header. Undefined unless it is a
 * PNG, JPEG or WebP. The image itself is not decoded.
 */
export function pictureOf(bytes: Uint8Array): Picture | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return pngOf(view) ?? webpOf(view) ?? jpegOf(view);
}

const pngStart = 0x89504e47;

function pngOf(view: DataView): Picture | undefined {
  if (view.byteLength < 33 || view.getUint32(0) !== pngStart || view.getUint32(4) !== 0x0d0a1a0a)
    return undefined;
  if (textAt(view, 12) !== "IHDR") return undefined;
  return { type: "png", width: view.getUint32(16), height: view.getUint32(20) };
}

function webpOf(view: DataView): Picture | undefined {
  if (view.byteLength < 30 || textAt(view, 0) !== "RIFF" || textAt(view, 8) !== "WEBP") return undefined;
  switch (textAt(view, 12)) {
    case "VP8X":
      return { type: "webp", width: uint24(view, 24) + 1, height: uint24(view, 27) + 1 };
    case "VP8L": {
      if (view.getUint8(20) !== 0x2f) return undefined;
      const sizes = view.getUint32(21, true);
      return { type: "webp", width: (sizes & 0x3fff) + 1, height: ((sizes >>> 14) & 0x3fff) + 1 };
    }
    case "VP8 ": {
      if (uint24(view, 23) !== 0x2a019d) return undefined;
      const width = view.getUint16(26, true) & 0x3fff;
      return { type: "webp", width, height: view.getUint16(28, true) & 0x3fff };
    }
    default:
      return undefined;
  }
}

/** Iterates the segments up to the start of a frame, which contains the size. */
function jpegOf(view: DataView): Picture | undefined {
  if (view.byteLength < 4 || view.getUint16(0) !== 0xffd8) return undefined;
  let at = 2;
  while (at + 9 <= view.byteLength) {
    if (view.getUint8(at) !== 0xff) return undefined;
    const marker = view.getUint8(at + 1);
    if (marker === 0xff) {
      at += 1;
      continue;
    }
    if (isFrame(marker))
      return { type: "jpg", width: view.getUint16(at + 7), height: view.getUint16(at + 5) };
    const length = view.getUint16(at + 2);
    if (length < 2) return undefined;
    at += 2 + length;
  }
  return undefined;
}

/** Start of a frame: C0 to CF without the tables C4, C8 and CC in the same range. */
function isFrame(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
}

function textAt(view: DataView, at: number): string {
  return String.fromCharCode(...[0, 1, 2, 3].map((each) => view.getUint8(at + each)));
}

function uint24(view: DataView, at: number): number {
  return view.getUint16(at, true) | (view.getUint8(at + 2) << 16);
}

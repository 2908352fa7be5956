import { pictureOf } from "./picture.ts";

/**
 * A picture without what a camera or an editor has noted in it: place, owner, serial number, comments, earlier
 * versions, and whatever follows its end. Which side is up and its colours stay. Undefined unless it is a whole PNG,
 * JPEG or WebP.
 * Sources: JPEG: ITU-T T.81 annex B, Exif 2.32 section 4; PNG: W3C PNG 3rd edition, section 5; WebP: RFC 9649.
 */
export function barePicture(bytes: Buffer): Buffer | undefined {
  switch (pictureOf(bytes)?.type) {
    case "jpg":
      return bareJpeg(bytes);
    case "png":
      return barePng(bytes);
    case "webp":
      return bareWebp(bytes);
    default:
      return undefined;
  }
}

const jpegMarkers = { end: 0xd9, scan: 0xda, exif: 0xe1, colours: 0xe2, adobe: 0xee, comment: 0xfe } as const;

function bareJpeg(bytes: Buffer): Buffer | undefined {
  const kept: Buffer[] = [bytes.subarray(0, 2)];
  let up = 1;
  let at = 2;
  while (at + 4 <= bytes.length) {
    if (bytes[at] !== 0xff) return undefined;
    const marker = bytes[at + 1] ?? 0;
    if (marker === 0xff) {
      at += 1;
      continue;
    }
    if (marker === jpegMarkers.end) break;
    const until = at + 2 + bytes.readUInt16BE(at + 2);
    if (until > bytes.length) return undefined;
    const segment = bytes.subarray(at, until);
    if (marker === jpegMarkers.exif) up = orientationOf(segment.subarray(4)) ?? up;
    if (isJpegPicture(marker, segment)) kept.push(segment);
    at = until;
    if (marker !== jpegMarkers.scan) continue;
    const end = endOfScan(bytes, at);
    kept.push(bytes.subarray(at, end));
    at = end;
  }
  if (bytes[at] !== 0xff || bytes[at + 1] !== jpegMarkers.end) return undefined;
  const head = kept.slice(0, 1);
  return Buffer.concat([
    ...head,
    ...(up === 1 ? [] : [exifOf(up)]),
    ...kept.slice(1),
    bytes.subarray(at, at + 2),
  ]);
}

/** Of the application segments those that say how the colours are to be read. */
function isJpegPicture(marker: number, segment: Buffer): boolean {
  if (marker === jpegMarkers.colours) return segment.toString("latin1", 4, 15) === "ICC_PROFILE";
  const isApplication = marker >= jpegMarkers.exif && marker <= 0xef;
  return marker === jpegMarkers.adobe || !(isApplication || marker === jpegMarkers.comment);
}

/** Where the coded data of a scan end: at a marker that is neither a stuffed byte nor a restart. */
function endOfScan(bytes: Buffer, from: number): number {
  for (let at = bytes.indexOf(0xff, from); at !== -1; at = bytes.indexOf(0xff, at + 1)) {
    const next = bytes[at + 1] ?? jpegMarkers.end;
    if (next !== 0 && next !== 0xff && !(next >= 0xd0 && next <= 0xd7)) return at;
  }
  return bytes.length;
}

const orientationTag = 0x0112;

/** Which side is up, 1 to 8, of an Exif segment; undefined if it does not say. */
function orientationOf(exif: Buffer): number | undefined {
  if (exif.toString("latin1", 0, 6) !== "Exif\0\0") return undefined;
  const tiff = exif.subarray(6);
  const isLittle = tiff.toString("latin1", 0, 2) === "II";
  const word = (at: number): number =>
    at + 2 > tiff.length ? 0 : isLittle ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at);
  const first = tiff.length < 8 ? tiff.length : isLittle ? tiff.readUInt32LE(4) : tiff.readUInt32BE(4);
  for (let entry = 0; entry < word(first); entry++) {
    const at = first + 2 + entry * 12;
    if (at + 12 > tiff.length) return undefined;
    if (word(at) !== orientationTag) continue;
    const value = word(at + 8);
    return value >= 1 && value <= 8 ? value : undefined;
  }
  return undefined;
}

/** An Exif segment with the orientation alone. */
function exifOf(orientation: number): Buffer {
  const segment = Buffer.alloc(36);
  segment.writeUInt16BE(0xff00 + jpegMarkers.exif, 0);
  segment.writeUInt16BE(segment.length - 2, 2);
  segment.write("Exif\0\0MM\0*", 4, "latin1");
  segment.writeUInt32BE(8, 14);
  segment.writeUInt16BE(1, 18);
  segment.writeUInt16BE(orientationTag, 20);
  segment.writeUInt16BE(3, 22);
  segment.writeUInt32BE(1, 24);
  segment.writeUInt16BE(orientation, 28);
  return segment;
}

const notesOfPng: ReadonlySet<string> = new Set(["eXIf", "tEXt", "zTXt", "iTXt", "tIME", "dSIG"]);

function barePng(bytes: Buffer): Buffer | undefined {
  const kept: Buffer[] = [bytes.subarray(0, 8)];
  for (let at = 8; at + 12 <= bytes.length;) {
    const until = at + 12 + bytes.readUInt32BE(at);
    if (until > bytes.length) return undefined;
    const name = bytes.toString("latin1", at + 4, at + 8);
    // Private chunks are those of editors, with the layers and texts of the original.
    const isPrivate = /^[a-z][a-z]/.test(name);
    if (!notesOfPng.has(name) && !isPrivate) kept.push(bytes.subarray(at, until));
    if (name === "IEND") return Buffer.concat(kept);
    at = until;
  }
  return undefined;
}

const notesOfWebp: ReadonlySet<string> = new Set(["EXIF", "XMP "]);
/** Flags of the extended header that announce these two. */
const webpNotes = 0b0000_1100;

function bareWebp(bytes: Buffer): Buffer | undefined {
  const end = 8 + bytes.readUInt32LE(4);
  if (end > bytes.length) return undefined;
  const kept: Buffer[] = [];
  let at = 12;
  while (at + 8 <= end) {
    const size = bytes.readUInt32LE(at + 4);
    const until = at + 8 + size + (size % 2);
    if (until > bytes.length) return undefined;
    const name = bytes.toString("latin1", at, at + 4);
    const chunk = Buffer.from(bytes.subarray(at, until));
    if (name === "VP8X") chunk[8] = (chunk[8] ?? 0) & ~webpNotes;
    if (!notesOfWebp.has(name)) kept.push(chunk);
    at = until;
  }
  const body = Buffer.concat(kept);
  const head = Buffer.from(bytes.subarray(0, 12));
  head.writeUInt32LE(body.length + 4, 4);
  return Buffer.concat([head, body]);
}

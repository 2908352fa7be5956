export interface FileType {
  readonly media: "image/png" | "image/jpeg" | "image/webp" | "application/pdf";
  readonly ending: "png" | "jpg" | "webp" | "pdf";
}

const png = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const jpeg = Buffer.from([0xff, 0xd8, 0xff]);

/** Kind of a file by its content, whatever its name says; undefined for any other kind. */
export function fileType(bytes: Buffer): FileType | undefined {
  const begins = (start: Buffer): boolean => bytes.subarray(0, start.length).equals(start);
  const text = (from: number, to: number): string => bytes.toString("latin1", from, to);
  if (begins(png) && text(12, 16) === "IHDR") return { media: "image/png", ending: "png" };
  if (begins(jpeg)) return { media: "image/jpeg", ending: "jpg" };
  if (text(0, 4) === "RIFF" && text(8, 12) === "WEBP") return { media: "image/webp", ending: "webp" };
  if (text(0, 5) === "%PDF-") return { media: "application/pdf", ending: "pdf" };
  return undefined;
}

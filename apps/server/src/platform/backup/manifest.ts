import { z } from "zod";

/** Written into every file; a reader accepts only its own version. */
export const formatVersion = 1;

/** First entry of the file, which identifies it as a backup. */
export const headEntry = "metrum-backup.json";
/** Last entry of the file: missing in a truncated file. */
export const manifestEntry = "manifest.json";

export const Head = z.object({ format: z.number() });

/** Bound of the range of a partition: a number, or an instant in UTC. */
const Bound = z.union([z.number().int(), z.string().regex(/^[-+:. \d]+$/)]);

/** One table, or one partition of a table. */
const TableEntry = z.object({
  name: z.string(),
  /** Stored columns; generated ones are computed again. */
  columns: z.array(z.string()).min(1),
  /** Its partitioned table, and the range of its key. */
  partition: z.nullable(z.object({ of: z.string(), from: Bound, to: Bound })),
  rows: z.number().int(),
  /** Sum over the rows of 64 bits of the MD5 of the row as text: independent of row order. */
  checksum: z.string(),
  /** Bytes of COPY in this file. */
  bytes: z.number().int(),
  sha256: z.string(),
});
export type TableEntry = z.infer<typeof TableEntry>;

/** A file of the data directory; `path` is relative to it, with slashes. */
const FileEntry = z.object({
  path: z.string().refine(isInside, { message: "leads out of the data directory" }),
  mode: z.number().int(),
  bytes: z.number().int(),
  sha256: z.string(),
});
export type FileEntry = z.infer<typeof FileEntry>;

const SequenceEntry = z.object({
  name: z.string(),
  last: z.string().regex(/^-?\d+$/),
  isCalled: z.boolean(),
});
export type SequenceEntry = z.infer<typeof SequenceEntry>;

/** Contents of a backup, with the means to verify it. */
export const Manifest = z.object({
  format: z.literal(formatVersion),
  /** Epoch seconds of the snapshot. */
  at: z.number().int(),
  /** `server_version_num` of the PostgreSQL it was taken from. */
  postgres: z.number().int(),
  migrations: z.array(z.string()).min(1),
  tables: z.array(TableEntry),
  sequences: z.array(SequenceEntry),
  files: z.array(FileEntry),
});
export type Manifest = z.infer<typeof Manifest>;

/**
 * Names of the entries with part `part` of a table or file, which are numbered as the manifest lists them.
 */
export const tablePart = (name: string, part: number): string => `tables/${name}/${String(part)}`;
export const filePart = (index: number, part: number): string => `files/${String(index)}/${String(part)}`;

/** The table or file of an entry: `tables/message_2026_11`, `files/3`. */
export const ownerOf = (entry: string): string => entry.slice(0, entry.lastIndexOf("/"));

function isInside(path: string): boolean {
  const parts = path.split("/");
  return !path.includes("\\") && parts.every((part) => part !== "" && part !== "." && part !== "..");
}

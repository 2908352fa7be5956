import { z } from "zod/mini";
import { ShortText } from "./values.ts";

export const fileFormats = ["xlsx", "csv"] as const;
export type FileFormat = (typeof fileFormats)[number];

/** Bounds of one file, and the files that one company may receive at the same time. */
export const listFileBounds = { rows: 1_000_000, columns: 100, atOnce: 2 } as const;

/** Path of a field of a row: "gateway.name". */
const FieldPath = z.string().check(z.maxLength(100), z.regex(/^\w+(\.\w+){0,3}$/));

/**
 * A column of the file as data, so that one mechanism serves every list: texts and numbers are written
 * unchanged, or as given by `shows` and `words`.
 */
const FileColumn = z.object({
  title: ShortText,
  of: z
    .array(FieldPath)
    .check(z.minLength(1), z.maxLength(4), z.describe("fields of a row; the first that has a value")),
  shows: z
    .optional(z.enum(["plain", "time", "day", "shares", "values"]))
    .check(
      z.describe(
        "a number of epoch seconds as a time or day in `zone`; a list of shares from 0 to 1 as percentages; named values as one text",
      ),
    ),
  words: z
    .optional(z.record(z.string().check(z.maxLength(100)), ShortText))
    .check(z.describe("words for values such as a state or yes and no; a value without a word is kept")),
});
export type FileColumn = z.infer<typeof FileColumn>;

/**
 * In addition to the input of a list: its whole filter is answered as a file, page and page size are ignored.
 */
export const ListFile = z.object({
  format: z.enum(fileFormats),
  title: ShortText.check(z.minLength(1), z.describe("name of the sheet and of the file")),
  zone: z.string().check(z.maxLength(100), z.describe("IANA zone of the times")),
  columns: z.array(FileColumn).check(z.minLength(1), z.maxLength(listFileBounds.columns)),
});
export type ListFile = z.infer<typeof ListFile>;

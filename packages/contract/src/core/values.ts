import { z } from "zod/mini";

/** A database id in a body or reply. */
export const Id = z.int().check(z.positive(), z.lte(2_147_483_647));
/** A database id in a path or query, where everything is text. */
export const IdText = z.pipe(
  z.string().check(z.regex(/^\d{1,10}$/)),
  z.pipe(
    z.transform((text: string) => Number(text)),
    Id,
  ),
);
/** Keyword of the API description: a number is epoch seconds. */
const instantKeyword = "x-instant";
/** Epoch seconds, UTC. */
export const Seconds = z
  .int()
  .check(z.gte(-62_135_596_800), z.lte(253_402_300_799), z.meta({ [instantKeyword]: true }));
/** Whether the values of a schema are epoch seconds. */
export const isInstant = (schema: z.core.$ZodType): boolean =>
  z.globalRegistry.get(schema)?.[instantKeyword] === true;
/** A calendar month. */
export const Month = z.string().check(z.regex(/^20\d\d-(0[1-9]|1[0-2])$/), z.describe("2026-11"));
/** A day of the calendar: the 31st of February is none, and no table stores the year 0. */
export const Day = z.iso.date().check(z.regex(/^[1-9]/), z.describe("2026-11-21"));
export const ShortText = z.string().check(z.maxLength(255), z.trim());
export const Nothing = z.object({});

/** Page sizes of lists. The last two are for the trash and an unpaged answer. */
export const pageSizes = [10, 25, 50, 100, 250, 500, 1000, 2500, 10_000] as const;

/** The largest allowed page size up to both the requested size and `most`; otherwise the smallest. */
export function pageSize(asked: number, most = 1000): number {
  return pageSizes.findLast((size) => size <= Math.min(asked, most)) ?? pageSizes[0];
}

/** A page of rows, the answer of every paged list. */
export const paged = <Row extends z.ZodMiniType>(row: Row) =>
  z.object({
    data: z.array(row),
    current_page: z.int(),
    last_page: z.int(),
    per_page: z.int(),
    total: z.int(),
  });

/**
 * Input common to all lists. Both spellings of paging and search are accepted; `serve` normalises
 * them.
 */
export const listInput = {
  page: z.optional(z.int().check(z.gte(1), z.lte(1_000_000))),
  per_page: z.optional(z.int().check(z.gte(1), z.lte(10_000))),
  sort: z.optional(z.enum(["asc", "desc"])),
  search_string: z.optional(ShortText),
};

const deepest = 8;
const largest = 64 * 1024;

/** Free JSON of a user, limited in depth and size. */
export const BoundedObject = z
  .record(z.string().check(z.maxLength(255)), z.unknown())
  .check(z.refine(isSmall, "size"));

/** Depth is checked first: deeply nested values cannot even be serialised. */
function isSmall(value: unknown): boolean {
  return isShallow(value, deepest) && JSON.stringify(value).length <= largest;
}

function isShallow(value: unknown, left: number): boolean {
  if (typeof value !== "object" || value === null) return true;
  return left > 0 && Object.values(value).every((each) => isShallow(each, left - 1));
}

/** Id of a node: a text on the wire, a number in the database; both are accepted. */
export const NodeId = z.union([IdText, Id]);

/** In the filter of a list: only what stands at these nodes or below; a node that one cannot see holds nothing. */
export const ObjectFilter = z.optional(z.array(Id).check(z.maxLength(1000)));

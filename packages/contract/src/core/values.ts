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
/** Epoch seconds, UTC. */
export const Seconds = z.int().check(z.gte(-62_135_596_800), z.lte(253_402_300_799));
export const ShortText = z.string().check(z.maxLength(255), z.trim());
export const Nothing = z.object({});

/** Page sizes of tables; every list clamps to these. */
export const pageSizes = [10, 25, 100] as const;

/** A page of rows, as every paged list answers. */
export const paged = <Row extends z.ZodMiniType>(row: Row) =>
  z.object({
    data: z.array(row),
    current_page: z.int(),
    last_page: z.int(),
    per_page: z.int(),
    total: z.int(),
  });

import { amountDecimals } from "@metrum/vocabulary";
import { z } from "zod/mini";

/** Keyword of the API description: every value of this field is shown with so many decimals. */
const keyword = "x-decimals";

/** An amount or register in its unit. Stored and summed with all its decimals, shown with those of every counter. */
export const Amount = z.number().check(z.meta({ [keyword]: amountDecimals }));
/** A percentage. */
export const Percent = z.number().check(z.meta({ [keyword]: 1 }));
/** A share from 0 to 1, rounded down: what lacks a second is not complete. */
export const Share = z.number().check(z.meta({ [keyword]: 6 }));

/** Decimals that the values of a schema are shown with; undefined: it is no amount, and shown as it is. */
export function decimalsOf(schema: z.core.$ZodType): number | undefined {
  const found: unknown = z.globalRegistry.get(schema)?.[keyword];
  return typeof found === "number" ? found : undefined;
}

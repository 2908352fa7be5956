import { z } from "zod/mini";

const Norm = z.optional(z.nullable(z.number().check(z.gte(0), z.lte(1e12))));

/** Norms of consumption in the unit of the point. */
export const PointStandard = z.object({ day: Norm, month: Norm, hour: Norm });
export type PointStandard = z.infer<typeof PointStandard>;

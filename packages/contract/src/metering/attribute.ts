import { z } from "zod/mini";

/** A free property of a device: inventory number, year of manufacture, feeder. */
export const Attribute = z.object({ name: z.string(), value: z.string() });
export type Attribute = z.infer<typeof Attribute>;

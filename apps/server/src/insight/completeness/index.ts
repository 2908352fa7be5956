import type { Domain } from "#core";
import { serveCompleteness } from "./calls.ts";

/** Expected against received data of devices by day, and why the rest is missing. */
export const completeness: Domain = { name: "completeness", calls: serveCompleteness };

import type { Domain } from "#core";
import { serveListViews } from "./calls.ts";

/** Views of lists that users save for themselves or for their company. */
export const listViews: Domain = { name: "list-views", calls: serveListViews };

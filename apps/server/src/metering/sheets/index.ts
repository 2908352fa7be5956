import type { Domain } from "#core";
import { serveSheets } from "./calls.ts";
import { startSheetWork } from "./work.ts";

/** Devices, gateways and base stations from spreadsheets. */
export const sheets: Domain = { name: "sheets", calls: serveSheets, worker: startSheetWork };

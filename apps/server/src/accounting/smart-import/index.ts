import type { Domain } from "#core";
import type { ComposedKind } from "#metering/sheets";
import { serveSmartImport } from "./calls.ts";
import { fields } from "./fields.ts";
import { storeRows } from "./rows.ts";
import { undoRows } from "./undo.ts";

/** Rows of objects with their points, devices and parties, as the imports of spreadsheets store them. */
export const objectSheets: ComposedKind = {
  fields,
  store: storeRows,
  undo: undoRows,
};

/** Objects, accounting points and devices from one file. */
export const smartImport: Domain = { name: "smart-import", calls: serveSmartImport };

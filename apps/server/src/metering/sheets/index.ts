import type { Domain } from "#core";
import { serveSheets } from "./calls.ts";
import { startSheetWork } from "./work.ts";

export { ProblemOfRow, type ComposedKind, type Step, type StepsOfRow, type StoredSteps } from "./composed.ts";
export { faultsOf, reasonOf } from "./faults.ts";
export { column, isHeadingOf, mappingOf, text } from "./fields.ts";
export {
  beginRehearsal,
  lockedImport,
  openImport,
  refusalReasons,
  takeUpload,
  visibleImports,
} from "./imports.ts";
export { admitted, kindsOfThings, makeDevices, type RowValues } from "./kinds.ts";
export { readCells } from "./rowValues.ts";
export { deleteImport } from "./store.ts";
export { deleteRows, insertRowsAgain, putBackRows, thingsNumbered, usedDevices } from "./thingStore.ts";
export { refuseChanged } from "./undo.ts";

/** Devices, gateways and base stations from spreadsheets, and kinds that other wings have registered. */
export const sheets: Domain = { name: "sheets", calls: serveSheets, worker: startSheetWork };

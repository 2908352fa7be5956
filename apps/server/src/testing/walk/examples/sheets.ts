import { aSheetImport } from "../spares.ts";
import type { Examples } from "./example.ts";

/** Examples of imports from spreadsheets. */
export const sheetExamples: Examples = {
  "sheetImport.template": { input: () => ({ body: { kind: "devices" } }) },
  "sheetImport.upload": {
    input: () => ({ body: { kind: "devices", file_name: "meters.csv", text: "Number;Name\nS-1;Spare\n" } }),
  },
  "sheetImport.list": {},
  "sheetImport.get": {
    input: async (fixture) => ({ body: { id: await aSheetImport(fixture, "uploaded") } }),
    foreign: { kind: "sheetImport", input: (id) => ({ body: { id } }) },
  },
  "sheetImport.rows": {
    input: async (fixture) => ({ body: { id: await aSheetImport(fixture, "uploaded"), per_page: 10 } }),
    foreign: { kind: "sheetImport", input: (id) => ({ body: { id } }) },
  },
  "sheetImport.rehearse": {
    input: async (fixture) => ({
      body: { id: await aSheetImport(fixture, "uploaded"), mapping: ["deviceID"] },
    }),
    foreign: { kind: "sheetImport", input: (id) => ({ body: { id, mapping: ["deviceID"] } }) },
  },
  "sheetImport.run": {
    input: async (fixture) => ({ body: { id: await aSheetImport(fixture, "rehearsed") } }),
    foreign: { kind: "rehearsedImport", input: (id) => ({ body: { id } }) },
  },
  "sheetImport.undo": {
    input: async (fixture) => ({ body: { id: await aSheetImport(fixture, "done") } }),
    foreign: { kind: "doneImport", input: (id) => ({ body: { id } }) },
  },
};

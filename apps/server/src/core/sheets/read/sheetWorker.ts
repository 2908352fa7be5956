import { workerData } from "node:worker_threads";
import { serveFiles } from "../../threads/serveFiles.ts";
import { readSheet, type SheetLimits } from "./readSheet.ts";

/** Thread that reads spreadsheets, one by one; its time is limited by the caller. It keeps no rows. */
serveFiles((file) => readSheet(file, workerData as SheetLimits));

import { sheetImportBounds } from "@metrum/contract";
import { createSheetReader } from "../apps/server/src/core/index.ts";
import { bookOf } from "../apps/server/src/testing/books.ts";
import { atLeast, atMost, reported, type Bench } from "./report.ts";

const size = { rows: 50_000, columns: 12 };
/** The thread is ended after 5 s of a file; this process takes the rows meanwhile, and collects its garbage. */
const mostSec = 5 + 3;

export const bench: Bench = {
  title:
    "a workbook of 50,000 rows and 12 columns in the thread for files, and a small one that waits for it",
  async run() {
    const reader = createSheetReader(sheetImportBounds);
    await reader.read(small(), 1);
    const [file, beside] = [large(), small()];
    const megabytes = file.byteLength / 1024 / 1024;
    const spentSec = processorTime();
    const [read, waitedSec] = await Promise.all([
      reader.read(file, 1).then((sheet) => ({ sheet, sec: spentSec() })),
      reader.read(beside, 2).then(spentSec),
    ]);
    if ("fault" in read.sheet) console.log(`  refused: ${read.sheet.fault}`);
    const rows = "fault" in read.sheet ? 0 : read.sheet.rows.length;
    return [
      reported("size", megabytes, "MiB"),
      atLeast("rows read", rows, "rows", size.rows),
      atMost("processor time of all threads", read.sec, "s", mostSec),
      atMost("the same until a small file of another company is read", waitedSec, "s", mostSec),
    ];
  },
};

const heads = Array.from({ length: size.columns }, (_, at) => `Column ${String(at)}`);
const small = (): Uint8Array => bookOf([heads, heads.map((_, at) => at)]);

/** Texts and numbers, all different, as in a register of meters. */
const large = (): Uint8Array =>
  bookOf([
    heads,
    ...Array.from({ length: size.rows }, (_, row) =>
      heads.map((_, at) => (at % 3 === 0 ? row * 7 + at / 8 : `Street ${String(row)}, flat ${String(at)}`)),
    ),
  ]);

/** Processor time of this process from now on: a busy machine makes nothing slower by it. */
function processorTime(): () => number {
  const before = process.cpuUsage();
  return () => {
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1_000_000;
  };
}

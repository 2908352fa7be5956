import { readFileSync } from "node:fs";
import { sheetImportBounds } from "@metrum/contract/metering";
import { createSheetReader, type SheetReader } from "../../apps/server/src/core/index.ts";
import { bookOf, type BookOptions } from "../../apps/server/src/testing/books.ts";
import { atLeast, atMost, reported, type Bench, type Figure } from "../report.ts";

/** The thread is ended after 5 s of a file; this process takes the rows meanwhile, and collects its garbage. */
const mostSec = 5 + 3;
const rowCount = 50_000;

interface Kind {
  readonly name: string;
  readonly type: NonNullable<BookOptions["type"]>;
  readonly columns: number;
}

/** All have 50,000 rows; ODS and XLS the columns that their bounds allow. */
const kinds: readonly Kind[] = [
  { name: "XLSX, 12 columns", type: "xlsx", columns: 12 },
  { name: "ODS, 5 columns", type: "ods", columns: 5 },
  { name: "XLS, 3 columns", type: "biff8", columns: 3 },
];

export const bench: Bench = {
  title: "workbooks of 50,000 rows in the thread for files, and a small one that waits for each",
  async run() {
    const reader = createSheetReader(sheetImportBounds);
    await reader.read(small(), 1);
    const figures: Figure[] = [];
    for (const kind of kinds) figures.push(...(await readBy(reader, kind)));
    return [...figures, ...(await refusedBy(reader))];
  },
};

async function readBy(reader: SheetReader, { name, type, columns }: Kind): Promise<Figure[]> {
  const file = large(type, columns);
  const megabytes = file.byteLength / 1024 / 1024;
  const memory = peakMemory();
  const spentSec = processorTime();
  const [read, waitedSec] = await Promise.all([
    reader.read(file, 1).then((sheet) => ({ sheet, sec: spentSec() })),
    reader.read(small(), 2).then(spentSec),
  ]);
  if ("fault" in read.sheet) console.log(`  refused: ${read.sheet.fault}`);
  const rows = "fault" in read.sheet ? 0 : read.sheet.rows.length;
  return [
    reported(`${name}: size`, megabytes, "MiB"),
    atLeast("  rows read", rows, "rows", rowCount),
    atMost("  processor time of all threads", read.sec, "s", mostSec),
    atMost("  the same until a small file of another company is read", waitedSec, "s", mostSec),
    reported("  memory of the process beyond that before", memory(), "MiB"),
  ];
}

/** Twelve columns are beyond the bounds of ODS: the thread does not begin with them. */
async function refusedBy(reader: SheetReader): Promise<Figure[]> {
  const file = large("ods", 12);
  const spentSec = processorTime();
  const sheet = await reader.read(file, 1);
  const sec = spentSec();
  const isNamed = "fault" in sheet && sheet.fault === "format_large";
  return [
    atLeast("ODS, 12 columns: refused with what to do", isNamed ? 1 : 0, "of 1", 1),
    atMost("  processor time of all threads", sec, "s", 1),
  ];
}

const heads = (columns: number): string[] =>
  Array.from({ length: columns }, (_, at) => `Column ${String(at)}`);
const small = (): Uint8Array => bookOf([heads(3), [0, 1, 2]]);

/** Texts and numbers, all different, as in a register of meters. */
const large = (type: Kind["type"], columns: number): Uint8Array =>
  bookOf(
    [
      heads(columns),
      ...Array.from({ length: rowCount }, (_, row) =>
        heads(columns).map((_, at) =>
          at % 3 === 0 ? row * 7 + at / 8 : `Street ${String(row)}, flat ${String(at)}`,
        ),
      ),
    ],
    { type },
  );

/** Processor time of this process from now on: a busy machine makes nothing slower by it. */
function processorTime(): () => number {
  const before = process.cpuUsage();
  return () => {
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1_000_000;
  };
}

/** Highest resident memory from now on, sampled, since the system keeps only that of all time. */
function peakMemory(): () => number {
  const resident = (): number =>
    Number(/VmRSS:\s+(\d+)/.exec(readFileSync("/proc/self/status", "latin1"))?.[1]) / 1024;
  const before = resident();
  let most = before;
  const timer = setInterval(() => (most = Math.max(most, resident())), 20);
  return () => {
    clearInterval(timer);
    return most - before;
  };
}

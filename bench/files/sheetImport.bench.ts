import { pathOf, type Call, type ReplyOf } from "@metrum/contract/core";
import { sheetImports, type SheetImport } from "@metrum/contract/metering";
import { devices } from "../../apps/server/src/metering/devices/index.ts";
import { sheets } from "../../apps/server/src/metering/sheets/index.ts";
import { startApi, type BenchApi } from "../api.ts";
import { atMost, reported, type Bench, type Figure } from "../report.ts";

const rowCount = 20_000;
/** Devices that exist before and get another place. */
const knownCount = 1_500;
const errorCount = 300;

export const bench: Bench = {
  title: "20,000 devices from a spreadsheet with 300 wrong rows: rehearsed, stored and undone",
  async run() {
    const api = await startApi();
    const stops = [await sheets.worker?.(api.services), await devices.worker?.(api.services)];
    try {
      return await measured(api);
    } finally {
      for (const stop of stops) await stop?.();
      await api.stop();
    }
  },
};

async function measured(api: BenchApi): Promise<Figure[]> {
  const known = Array.from({ length: knownCount }, (_, n) => line(n));
  await finish(api, sheetImports.run, (await rehearsed(api, known)).id);
  const before = await rowsOf(api);
  const { lines, wrong } = planted();
  const uploadedMs = performance.now();
  const { id } = await rehearsed(api, lines);
  const rehearsedMs = performance.now();
  const found = await errorsOf(api, id);
  const startedMs = performance.now();
  const { counts } = await finish(api, sheetImports.run, id);
  const storedMs = performance.now();
  await ask(api, sheetImports.undo, { id });
  const undoneMs = performance.now();
  const perSec = (ms: number): number => rowCount / (ms / 1000);
  return [
    reported("rehearsal, upload included", perSec(rehearsedMs - uploadedMs), "rows/s"),
    reported("run", perSec(storedMs - startedMs), "rows/s"),
    reported("undo", (undoneMs - storedMs) / 1000, "s"),
    reported("devices made", counts.made, "devices"),
    reported("devices changed", counts.changed, "devices"),
    atMost("wrong rows missed, or others refused", difference(wrong, found), "rows", 0),
    atMost(
      "devices that differ after the undo",
      difference(before, await settled(api, before)),
      "devices",
      0,
    ),
  ];
}

const heading = "Number;Name;Model;Place;Transformation ratio;Address on the line";
const line = (n: number, { model = "SDM630-Modbus", ratio = "1", place = "Entrance" } = {}): string =>
  `S-${String(n)};Meter ${String(n)};${model};${place};${ratio};${String((n % 247) + 1)}`;

/** The file, and its wrong rows as "row column code". */
function planted(): { readonly lines: string[]; readonly wrong: Set<string> } {
  const lines = Array.from({ length: rowCount }, (_, n) => line(n, { place: "Staircase" }));
  const wrong = new Set<string>();
  const step = Math.floor((rowCount - knownCount) / errorCount);
  for (let at = 0; at < errorCount; at += 1) {
    const n = knownCount + at * step;
    const kinds = [
      [line(n, { model: "Mercury 9" }), 2, "unknown_model"],
      [line(n).replace(/^[^;]*/, ""), 0, "required"],
      [line(n, { ratio: "1,O" }), 4, "ratio_needed"],
      [line(n, { ratio: "-3" }), 4, "above"],
      [line(n).replace(/^[^;]*/, "s-0"), 0, "same_in_file"],
    ] as const;
    const [text, column, code] = kinds[at % kinds.length] ?? kinds[0];
    lines[n] = text;
    wrong.add(`${String(n + 2)} ${String(column)} ${code}`);
  }
  return { lines, wrong };
}

async function errorsOf(api: BenchApi, id: number): Promise<Set<string>> {
  const { rows } = await ask(api, sheetImports.rows, { id, outcome: "refused", per_page: 2500 });
  return new Set(
    rows.data.flatMap(({ row, faults }) =>
      faults.map(({ column, code }) => `${String(row)} ${String(column)} ${code}`),
    ),
  );
}

const difference = (left: ReadonlySet<string>, right: ReadonlySet<string>): number =>
  [...left].filter((each) => !right.has(each)).length + [...right].filter((each) => !left.has(each)).length;

/** Every device of the company with all its columns. */
async function rowsOf({ services, companyId }: BenchApi): Promise<Set<string>> {
  const { rows } = await services.database.pool.query<{ row: string }>(
    "select d::text as row from device d where company_id = $1",
    [companyId],
  );
  return new Set(rows.map(({ row }) => row));
}

/** The devices once the worker has deleted those that were removed. */
async function settled(api: BenchApi, wanted: ReadonlySet<string>): Promise<Set<string>> {
  for (;;) {
    const rows = await rowsOf(api);
    if (rows.size <= wanted.size) return rows;
    await pause();
  }
}

const pause = (): Promise<void> => new Promise((resolve) => void setTimeout(resolve, 200));

async function rehearsed(api: BenchApi, lines: readonly string[]): Promise<SheetImport> {
  const form = new FormData();
  form.set("kind", "devices");
  form.set("file_name", "meters.csv");
  form.set("file", new Blob([[heading, ...lines].join("\n")]), "meters.csv");
  const uploaded = (await send(api, sheetImports.upload, form)) as ReplyOf<typeof sheetImports.upload>;
  const { id, mapping } = uploaded.import;
  return finish(api, sheetImports.rehearse, id, { mapping });
}

/** Begins a step of an import, and waits for its end. */
async function finish(api: BenchApi, step: Call, id: number, more: object = {}): Promise<SheetImport> {
  await ask(api, step, { id, ...more });
  for (;;) {
    const { import: found } = await ask(api, sheetImports.get, { id });
    if (found.state !== "rehearsing" && found.state !== "running") return found;
    await pause();
  }
}

const ask = async <C extends Call>(api: BenchApi, call: C, body: object): Promise<ReplyOf<C>> =>
  (await send(api, call, JSON.stringify(body))) as ReplyOf<C>;

async function send({ port, token }: BenchApi, call: Call, body: FormData | string): Promise<unknown> {
  const response = await fetch(`http://127.0.0.1:${String(port)}/api/${pathOf(call)}`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${token}`,
      ...(typeof body === "string" ? { "content-type": "application/json" } : {}),
    },
    body,
  });
  if (response.status !== 200) throw new Error(await response.text());
  return ((await response.json()) as { readonly data: unknown }).data;
}

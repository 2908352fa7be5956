import { smartImport } from "@metrum/contract/accounting";
import { pathOf, type Call, type ReplyOf } from "@metrum/contract/core";
import { sheetImports } from "@metrum/contract/metering";
import { devices } from "../../apps/server/src/metering/devices/index.ts";
import { sheets } from "../../apps/server/src/metering/sheets/index.ts";
import { startApi, type BenchApi } from "../api.ts";
import { atMost, reported, type Bench, type Figure } from "../report.ts";

/** A smaller number for a quick look; the figures that count are those of 20,000. */
const rowCount = Number(process.env["METRUM_BENCH_ROWS"] ?? 20_000);
const errorCount = Math.min(300, Math.floor(rowCount / 10));

export const bench: Bench = {
  title: `${String(rowCount)} objects, points and devices from one file with ${String(errorCount)} wrong rows: rehearsed, stored and undone`,
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

const heading =
  "Object (path);Kind of object;Latitude;Longitude;Accounting point;Resource;Consumer;Make missing parties;Ratio;Device number;Model;Address on the line";

const line = (
  n: number,
  more: Partial<Record<"path" | "latitude" | "resource" | "ratio" | "number" | "model", string>> = {},
) =>
  [
    more.path ?? `City ${String(n % 10)} / Street ${String(n % 400)} / House ${String(n)}`,
    "house",
    more.latitude ?? String(49 + (n % 1000) / 1000),
    String(105 + (n % 777) / 777),
    `Point ${String(n)}`,
    more.resource ?? "3",
    `Consumer ${String(n % 200)}`,
    "1",
    more.ratio ?? "1",
    more.number ?? `S-${String(n)}`,
    more.model ?? "SDM630-Modbus",
    String((n % 247) + 1),
  ].join(";");

/** The file, and its wrong rows as "row column code". */
function planted(): { readonly text: string; readonly wrong: Set<string> } {
  const lines = Array.from({ length: rowCount }, (_, n) => line(n));
  const wrong = new Set<string>();
  const step = Math.floor(rowCount / errorCount);
  for (let at = 0; at < errorCount; at += 1) {
    const n = at * step + 1;
    const kinds = [
      [line(n, { model: "Mercury 9" }), 10, "unknown_model"],
      [line(n, { path: "" }), 0, "required"],
      [line(n, { ratio: "1,O" }), 8, "ratio_needed"],
      [line(n, { latitude: "95" }), 2, "large"],
      [line(n, { resource: "Steam" }), 5, "unknown_resource"],
      [line(n, { number: "s-0" }), 9, "same_in_file"],
    ] as const;
    const [text, column, code] = kinds[at % kinds.length] ?? kinds[0];
    lines[n] = text;
    wrong.add(`${String(n + 2)} ${String(column)} ${code}`);
  }
  return { text: [heading, ...lines].join("\n"), wrong };
}

async function measured(api: BenchApi): Promise<Figure[]> {
  const before = await rowsOf(api);
  const { text, wrong } = planted();
  const startedMs = performance.now();
  const id = await upload(api, text);
  const { counts } = await finished(api, id, "done");
  const storedMs = performance.now();
  const found = await errorsOf(api, id);
  await ask(api, sheetImports.undo, { id });
  const undoneMs = performance.now();
  const after = await settled(api, before);
  return [
    reported("rehearsal and run", rowCount / ((storedMs - startedMs) / 1000), "rows/s"),
    reported("undo", (undoneMs - storedMs) / 1000, "s"),
    reported("rows that made something", counts.made, "rows"),
    atMost("wrong rows missed, or others refused", difference(wrong, found), "rows", 0),
    atMost("rows of tables that differ after the undo", difference(before, after), "rows", 0),
  ];
}

async function upload({ port, token }: BenchApi, text: string): Promise<number> {
  const form = new FormData();
  form.append("file_name", "city.csv");
  form.append("file", new Blob([text]), "city.csv");
  const response = await fetch(`http://127.0.0.1:${String(port)}/api/${pathOf(smartImport.start)}`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}` },
    body: form,
  });
  const { data, msg } = (await response.json()) as { data: ReplyOf<typeof smartImport.start>; msg: string };
  if (!response.ok) throw new Error(msg);
  return data.file.id;
}

async function ask<C extends Call>(api: BenchApi, definition: C, body: object): Promise<ReplyOf<C>> {
  const response = await fetch(`http://127.0.0.1:${String(api.port)}/api/${pathOf(definition)}`, {
    method: "POST",
    headers: { authorization: `Bearer ${api.token}`, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  const { data, msg } = (await response.json()) as { data: ReplyOf<C>; msg: string };
  if (!response.ok) throw new Error(msg);
  return data;
}

async function finished(api: BenchApi, id: number, state: string) {
  for (;;) {
    const { import: found } = await ask(api, sheetImports.get, { id });
    if (found.state === state) return found;
    if (found.state === "uploaded" || found.state === "interrupted")
      throw new Error("the import has stopped");
    await new Promise((done) => setTimeout(done, 500));
  }
}

async function errorsOf(api: BenchApi, id: number): Promise<Set<string>> {
  const found = new Set<string>();
  const { rows } = await ask(api, sheetImports.rows, { id, outcome: "refused", per_page: 2500 });
  for (const { row, faults } of rows.data)
    for (const { column, code } of faults) found.add(`${String(row)} ${String(column)} ${code}`);
  return found;
}

async function rowsOf({ services, companyId }: BenchApi): Promise<Set<string>> {
  const found = new Set<string>();
  const tables = [
    "object_node",
    "object_item",
    "device",
    "accounting_point",
    "point_device",
    "point_term",
    "point_event",
  ];
  for (const table of [...tables, "consumer", "supplier"]) {
    const { rows } = await services.database.pool.query<{ row: string }>(
      `select $1 || t::text as row from ${table} t where company_id = $2`,
      [table, companyId],
    );
    for (const { row } of rows) found.add(row);
  }
  return found;
}

/** Devices are removed by their worker. */
async function settled(api: BenchApi, wanted: ReadonlySet<string>): Promise<Set<string>> {
  const until = performance.now() + 600_000;
  for (;;) {
    const found = await rowsOf(api);
    if (difference(wanted, found) === 0 || performance.now() > until) return found;
    await new Promise((done) => setTimeout(done, 1000));
  }
}

const difference = (one: ReadonlySet<string>, other: ReadonlySet<string>): number =>
  [...one].filter((each) => !other.has(each)).length + [...other].filter((each) => !one.has(each)).length;

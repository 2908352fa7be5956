import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createConfig, lintFromString } from "@redocly/openapi-core";
import { readTable } from "../../apps/server/src/core/sheets/read/index.ts";
import { xlsxOf } from "../../apps/server/src/core/sheets/xlsx.ts";
import type { Cell } from "../../apps/server/src/core/sheets/sheet.ts";
import { mustEqual, packageVersion, run, versionOf, type Peer } from "./peers.ts";

const office = "/usr/bin/soffice";
const promtool = "/usr/bin/promtool";
const limits = { rows: 1_000, columns: 20, textLength: 1_000_000 };

async function inFolder(work: (folder: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "metrum-peers-"));
  try {
    await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Converts a file beside itself; its profile is of this run alone. */
async function convert(folder: string, file: string, to: string): Promise<void> {
  const profile = `-env:UserInstallation=file://${join(folder, "profile")}`;
  const { code, text } = await run(office, [
    ...[profile, "--headless", "--convert-to", to, "--outdir", folder, join(folder, file)],
  ]);
  mustEqual(code, 0, `soffice --convert-to ${to} (${text})`);
}

/** Numbers with zeros in front, texts that look like a formula or a date, letters of three alphabets, a time. */
const rows: readonly (readonly Cell[])[] = [
  ["00140725", "=1+1", 1234.5, 1_795_251_600],
  ["89701020304050604321", "12/01; ёж, Өргөө", -0.000_001, null],
];
const titles = ["Number", "Name", "Value", "Time"] as const;
const shown = [
  ["Number", "Name", "Value", "Time (UTC)"],
  ["00140725", "=1+1", 1234.5, "2026-11-21 09:00:00"],
  ["89701020304050604321", "12/01; ёж, Өргөө", -0.000_001],
];

async function written(): Promise<Buffer> {
  const chunks: Buffer[] = [];
  const sheet = {
    title: "Meters",
    zone: "UTC",
    columns: titles.map((title) => ({
      title,
      shows: title === "Time" ? ("time" as const) : ("plain" as const),
    })),
    rows: (async function* () {
      await Promise.resolve();
      yield rows;
    })(),
  };
  for await (const chunk of xlsxOf(sheet)) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks);
}

export const filePeers: readonly Peer[] = [
  {
    name: "LibreOffice opens our XLSX and writes it as XLSX, XLS and ODS, which we read",
    command: "soffice --headless --convert-to FORMAT --outdir FOLDER FILE",
    version: () => versionOf(office, ["--version"]),
    meet: () =>
      inFolder(async (folder) => {
        await writeFile(join(folder, "ours.xlsx"), await written());
        // By way of a format of its own: a file that it only copies would prove nothing.
        for (const [from, to] of [
          ["ours.xlsx", "ods"],
          ["ours.ods", "xls"],
          ["ours.xls", "xlsx"],
        ] as const) {
          await convert(folder, from, to);
          const { rows: read } = readTable(await readFile(join(folder, `ours.${to}`)), limits);
          mustEqual(
            read.map(({ cells }) => cells),
            shown,
            to,
          );
        }
      }),
  },
  {
    name: "the linter of Redocly finds no error in the OpenAPI document",
    command: 'lintFromString({ source, config: createConfig({ extends: ["recommended"] }) })',
    version: () => packageVersion("@redocly/openapi-core"),
    async meet({ api }) {
      const config = await createConfig({ extends: ["recommended"] });
      const source = await textAt(api.port, "/api/openapi.json");
      const problems = await lintFromString({ source, absoluteRef: "openapi.json", config });
      console.log(`    warnings: ${String(problems.length)}`);
      mustEqual(
        problems.filter(({ severity }) => severity === "error").map(({ message }) => message),
        [],
        "errors",
      );
    },
  },
  {
    name: "Prometheus reads /metrics",
    command: "promtool check metrics < /metrics",
    version: () => versionOf(promtool, ["--version"]),
    async meet({ api }) {
      const { code, text } = await run(promtool, ["check", "metrics"], await textAt(api.port, "/metrics"));
      mustEqual([code, text], [0, ""], "promtool");
    },
  },
];

const textAt = async (port: number, path: string): Promise<string> =>
  (await fetch(`http://127.0.0.1:${String(port)}${path}`)).text();

import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { join } from "node:path";
import type { Bench, Figure } from "./report.ts";

/** `npm run bench` runs all, `npm run bench -- NAME` the one of this name, or those with this prefix. */
const here = import.meta.dirname;
const wanted = process.argv[2] ?? "";
const all = new Map(
  readdirSync(here, { recursive: true, encoding: "utf8" }).flatMap((file) => {
    const name = /([^/\\]+)\.bench\.ts$/.exec(file)?.[1];
    return name === undefined ? [] : [[name, file] as const];
  }),
);
const names = all.has(wanted) ? [wanted] : [...all.keys()].filter((name) => name.startsWith(wanted)).sort();

if (names.length === 0) {
  console.error(`There is no benchmark "${wanted}".`);
  process.exit(1);
}

const results = join(here, "results");
mkdirSync(results, { recursive: true });
let missed = 0;
for (const name of names) {
  const { bench } = (await import(join(here, all.get(name) ?? ""))) as { bench: Bench };
  console.log(`\n${name}: ${bench.title}`);
  const started = Date.now();
  const figures = await bench.run();
  print(figures);
  missed += figures.filter(({ isMet }) => isMet === false).length;
  const machine = `${String(cpus().length)} x ${cpus()[0]?.model ?? "?"}, Node ${process.version}`;
  const result = {
    name,
    at: new Date(started).toISOString(),
    seconds: (Date.now() - started) / 1000,
    machine,
    figures,
  };
  writeFileSync(join(results, `${name}.json`), `${JSON.stringify(result, null, 2)}\n`);
}
if (missed > 0) console.log(`\n${String(missed)} figures miss their target.`);
process.exit(missed > 0 ? 1 : 0);

function print(figures: readonly Figure[]): void {
  const width = Math.max(...figures.map(({ what }) => what.length));
  for (const { what, value, unit, target, isMet } of figures) {
    const verdict = isMet === undefined ? "" : isMet ? "  ok" : "  MISSED";
    console.log(
      `  ${what.padEnd(width)}  ${value.toLocaleString("en").padStart(10)} ${unit.padEnd(10)} ${(target ?? "").padEnd(12)}${verdict}`,
    );
  }
}

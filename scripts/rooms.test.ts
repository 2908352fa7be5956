import { readFileSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";

const root = join(import.meta.dirname, "..");
const mostFiles = 25;
const mostLines = 400;

/** A list in the order of its numbers, which is read from its end. */
const ordered: ReadonlySet<string> = new Set(["apps/server/src/core/database/migrations"]);

const isSource = (path: string): boolean => /\.(tsx?|mjs|cjs)$/.test(path) && !/\.test\.tsx?$/.test(path);

/** Folders with more sources at one level than a reader takes in. */
function crowded(paths: readonly string[]): string[] {
  const rooms = new Map<string, number>();
  for (const path of paths.filter(isSource)) rooms.set(dirname(path), (rooms.get(dirname(path)) ?? 0) + 1);
  return [...rooms].flatMap(([room, files]) =>
    files > mostFiles && !ordered.has(room) ? [`${room}: ${String(files)}`] : [],
  );
}

const linesOf = (path: string): number => readFileSync(join(root, path), "utf8").split("\n").length - 1;

/** Sources and style sheets that are longer than a reader holds at once. */
const long = (paths: readonly string[], lines: (path: string) => number): string[] =>
  paths
    .filter((path) => isSource(path) || path.endsWith(".css"))
    .flatMap((path) => (lines(path) > mostLines ? [`${path}: ${String(lines(path))}`] : []));

describe("rooms that one can find something in", () => {
  const present = ["apps", "bench", "e2e", "packages", "scripts"].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
      .map((path) => `${folder}/${path}`)
      .filter((path) => !/(?:^|\/)(?:node_modules|dist|results)\//.test(path)),
  );

  it("no folder has more than 25 sources at one level", () => {
    expect(present.length).toBeGreaterThan(1000);
    expect(crowded(present)).toEqual([]);
  });

  it("no source and no style sheet has more than 400 lines", () => {
    expect(long(present, linesOf)).toEqual([]);
  });

  it("a crowded folder and a long file are told", () => {
    const planted = Array.from({ length: 26 }, (_, n) => `apps/web/src/ui/many/part${String(n)}.tsx`);
    const tests = Array.from({ length: 26 }, (_, n) => `apps/web/src/ui/few/part${String(n)}.test.tsx`);

    expect(crowded([...planted, ...tests])).toEqual(["apps/web/src/ui/many: 26"]);
    expect(crowded(planted.slice(1))).toEqual([]);
    expect(long(["a.ts", "b.css", "c.test.ts"], (path) => (path === "a.ts" ? 400 : 401))).toEqual([
      "b.css: 401",
    ]);
  });
});

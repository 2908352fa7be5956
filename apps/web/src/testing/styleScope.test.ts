import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";

const source = join(import.meta.dirname, "..");

interface Sheet {
  readonly path: string;
  readonly folder: string;
  /** Classes of the outermost compound of each selector: they limit its reach. */
  readonly anchors: readonly string[];
}

const files = readdirSync(source, { recursive: true, encoding: "utf8" }).map((path) =>
  path.replaceAll("\\", "/"),
);
const folderOf = (path: string) =>
  path
    .split("/")
    .slice(0, path.startsWith("app/") ? 1 : 2)
    .join("/");

function anchorsOf(css: string): readonly string[] {
  const plain = css.replaceAll(/\/\*[\s\S]*?\*\//g, "").replaceAll(/@(media|supports)[^{]*\{/g, "");
  const selectors = [...plain.matchAll(/([^{}]+)\{/g)].flatMap(([, list = ""]) => list.split(","));
  // A theme class is on the root: the next compound counts.
  return selectors
    .map(
      (selector) =>
        selector
          .trim()
          .replace(/^\[data-theme[^\]]*\]\s+/, "")
          .split(/[\s>+~]/)[0] ?? "",
    )
    .filter((each) => !each.startsWith("@"));
}

const sheets: readonly Sheet[] = files
  .filter((path) => path.endsWith(".css") && path.startsWith("features/"))
  .map((path) => ({
    path,
    folder: folderOf(path),
    anchors: anchorsOf(readFileSync(join(source, path), "utf8")),
  }));

/** Classes used by the components of a folder. */
const wornIn = new Map<string, Set<string>>();
for (const path of files.filter((each) => each.endsWith(".tsx") && !each.includes(".test."))) {
  const worn = wornIn.get(folderOf(path)) ?? new Set<string>();
  const text = readFileSync(join(source, path), "utf8");
  for (const [, plain, computed = ""] of text.matchAll(/className=(?:"([^"]*)"|\{([^}]*)\})/g)) {
    const pieces =
      plain === undefined ? [...computed.matchAll(/["`]([^"`$]*)/g)].map(([, each = ""]) => each) : [plain];
    for (const name of pieces.flatMap((each) => each.split(/\s+/))) if (name !== "") worn.add(name);
  }
  wornIn.set(folderOf(path), worn);
}

it("no class of a page reaches another page", () => {
  const wrong = sheets.flatMap(({ path, folder, anchors }) =>
    anchors.flatMap((anchor) => {
      const names = [...anchor.matchAll(/\.([\w-]+)/g)].map(([, name = ""]) => name);
      if (names.length === 0) return [`${path}: ${anchor} is of every page`];
      return [...wornIn]
        .filter(
          ([other, worn]) => other !== "app" && other !== folder && names.every((name) => worn.has(name)),
        )
        .map(([other]) => `${path}: ${anchor} is in ${other} too`);
    }),
  );
  expect([...new Set(wrong)]).toEqual([]);
});

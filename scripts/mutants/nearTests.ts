import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";

const testFile = /\.test\.tsx?$/;
const importPath = /(?:from|import) "([^"]+)"/g;
/** What is left of it at run time is nothing. */
const importOfTypes = /^(?:import|export) type [^;]*;$/gm;

/** All files below a folder, or the file itself. */
export function filesIn(path: string): string[] {
  if (/\.\w+$/.test(path)) return [path];
  return readdirSync(path, { withFileTypes: true }).flatMap((entry) => {
    if (entry.name === "node_modules" || entry.name === "dist") return [];
    const inside = join(path, entry.name);
    return entry.isDirectory() ? filesIn(inside) : [inside];
  });
}

/**
 * Whether a file is mutated: pure code. Stores and calls need a database, and declare more than they compute; seeds are
 * inputs of tests.
 */
export const isMutable = (path: string): boolean =>
  /\.tsx?$/.test(path) &&
  !testFile.test(path) &&
  !/(?:[sS]tore|[sS]eeds|tables|calls|index|\.measure|\.d)\.tsx?$/.test(path) &&
  !path.includes("/testing/");

/**
 * Tests of a file that need no database: those anywhere in its workspace that import it directly, first, and those of
 * its folder that reach it, or of the one above if there are none.
 */
export function testsNear(root: string, file: string): string[] {
  const workspace = /^.*?\/src(?=\/)/.exec(relative(root, file))?.[0] ?? dirname(relative(root, file));
  const near = [dirname(file), dirname(dirname(file))];
  const tests = filesIn(join(root, workspace)).filter((path) => testFile.test(path) && !needsDatabase(path));
  const direct = tests.filter((path) => importsOf(root, path).includes(file));
  const reaching = near.map((folder) =>
    tests.filter((path) => dirname(path) === folder && reaches(root, path, file)),
  );
  return [...new Set([...direct, ...(reaching.find(({ length }) => length > 0) ?? [])])];
}

const fromTesting = /"(?:#testing|(?:\.\.?\/)+testing)\/([\w/]+)/g;
/** Of the parts of tests, those that only make values, and not those of a whole year. */
const pureParts: ReadonlySet<string> = new Set([
  "load",
  "series/healthySeries",
  "series/judgedKinds",
  "series/judgedSeries",
  "series/pointScenario",
]);

const needsDatabase = (path: string): boolean =>
  path.includes("/apps/server/") &&
  [...textOf(path).matchAll(fromTesting)].some(([, name = ""]) => !pureParts.has(name));

function reaches(root: string, from: string, file: string): boolean {
  const known = new Set([from]);
  for (const path of known) {
    if (path === file) return true;
    for (const next of importsOf(root, path)) known.add(next);
  }
  return false;
}

const texts = new Map<string, string>();
function textOf(path: string): string {
  const known = texts.get(path) ?? (existsSync(path) ? readFileSync(path, "utf8") : "");
  texts.set(path, known);
  return known;
}

const imports = new Map<string, readonly string[]>();
function importsOf(root: string, path: string): readonly string[] {
  const known = imports.get(path);
  if (known) return known;
  const found = [...textOf(path).replaceAll(importOfTypes, "").matchAll(importPath)].flatMap(
    ([, name = ""]) => resolved(root, path, name),
  );
  imports.set(path, found);
  return found;
}

/** The file that an import names, if it is one of the project. */
function resolved(root: string, from: string, name: string): string[] {
  if (name.startsWith(".")) return [resolve(dirname(from), name)];
  const ofPackage = /^@metrum\/([\w-]+)$/.exec(name)?.[1];
  if (ofPackage !== undefined) return [join(root, "packages", ofPackage, "src/index.ts")];
  const app = /^.*?\/src(?=\/)/.exec(relative(root, from))?.[0];
  if (!name.startsWith("#") || app === undefined) return [];
  const folder = join(root, app, name.slice(1));
  return [join(folder, "index.ts"), `${folder}.ts`].filter((path) => existsSync(path));
}

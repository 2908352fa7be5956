// Which statements of docs/features.md are named by a test: ids in the titles of it, test and describe.
import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import ts from "typescript";

const root = join(import.meta.dirname, "..");
const idPattern = /\b[A-Z]{2,8}-\d{3}\b/g;
const titled = new Set(["it", "test", "describe"]);
/** A skipped test proves nothing. */
const idle = new Set(["skip", "todo"]);

/** Areas in the order of the document: id prefix, title, ids. */
function readAreas() {
  const areas = new Map();
  for (const line of readFileSync(join(root, "docs/features.md"), "utf8").split("\n")) {
    const heading = /^## ([A-Z]+): (.+)$/.exec(line);
    if (heading) areas.set(heading[1], { title: heading[2], ids: [] });
    const item = /^- (?:~~)?\*\*(([A-Z]+)-\d{3})\*\*/.exec(line);
    if (item && !line.includes("(withdrawn)")) areas.get(item[2])?.ids.push(item[1]);
  }
  return areas;
}

function* testFiles(directory) {
  for (const entry of readdirSync(directory, { withFileTypes: true })) {
    if (["node_modules", "dist", "data", ".git"].includes(entry.name)) continue;
    const path = join(directory, entry.name);
    if (entry.isDirectory()) yield* testFiles(path);
    else if (/\.test\.tsx?$/.test(entry.name)) yield path;
  }
}

/** The words of a callee, innermost first: `test.each(rows)` gives test, each. */
function calleeWords(node) {
  if (ts.isIdentifier(node)) return [node.text];
  if (ts.isPropertyAccessExpression(node)) return [...calleeWords(node.expression), node.name.text];
  if (ts.isCallExpression(node)) return calleeWords(node.expression);
  if (ts.isTaggedTemplateExpression(node)) return calleeWords(node.tag);
  return [];
}

/** Literal text of a title; the computed parts of a template are ignored. */
function literalText(node) {
  if (ts.isStringLiteralLike(node)) return node.text;
  if (ts.isTemplateExpression(node))
    return node.head.text + node.templateSpans.map((span) => ` ${span.literal.text}`).join("");
  return "";
}

function idsOfTitles(path) {
  const text = readFileSync(path, "utf8");
  if (!text.match(idPattern)) return [];
  const found = [];
  const visit = (node) => {
    if (ts.isCallExpression(node) && node.arguments.length > 0) {
      const words = calleeWords(node.expression);
      if (titled.has(words[0]) && !words.some((word) => idle.has(word)))
        found.push(...(literalText(node.arguments[0]).match(idPattern) ?? []));
    }
    ts.forEachChild(node, visit);
  };
  // In TSX the parameter of a generic arrow function reads as an element, which hides what follows.
  const kind = path.endsWith(".tsx") ? ts.ScriptKind.TSX : ts.ScriptKind.TS;
  visit(ts.createSourceFile(path, text, ts.ScriptTarget.Latest, false, kind));
  return found;
}

const areas = readAreas();
const known = new Set([...areas.values()].flatMap((area) => area.ids));
const named = new Map();
for (const path of testFiles(root))
  for (const id of idsOfTitles(path)) named.set(id, [...(named.get(id) ?? []), relative(root, path)]);

const row = (area, title, items, tested, missing) =>
  console.log(
    `${area.padEnd(8)} ${title.padEnd(42)} ${items.padStart(6)} ${tested.padStart(6)} ${missing.padStart(8)}`,
  );
row("area", "title", "items", "tested", "without");
for (const [area, { title, ids }] of areas) {
  const tested = ids.filter((id) => named.has(id)).length;
  row(area, title, String(ids.length), String(tested), String(ids.length - tested));
}
const tested = [...known].filter((id) => named.has(id)).length;
row("total", "", String(known.size), String(tested), String(known.size - tested));

console.log("\nwithout a test:");
for (const [area, { ids }] of areas) {
  const missing = ids.filter((id) => !named.has(id)).map((id) => id.slice(area.length + 1));
  if (missing.length > 0) console.log(`${area.padEnd(8)} ${missing.join(" ")}`);
}
// Ids of errors and crypto suites have the same format (UTF-008); only those of a known area are certain
// mistakes.
const unknown = [...named].filter(([id]) => !known.has(id) && areas.has(id.replace(/-\d+$/, "")));
for (const [id, paths] of unknown) console.log(`unknown id ${id} in ${[...new Set(paths)].join(", ")}`);
process.exitCode = unknown.length === 0 ? 0 : 1;

import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import ts from "typescript";
import { fieldNames, units } from "@metrum/vocabulary";

const growth = ["start_", "end_", "delta_"].map((part) => `${part}tariff0`);

/** Names of fields, of the columns that tables of readings have for them, and of units that are words. */
const names: readonly string[] = [
  ...fieldNames,
  ...Object.keys(units).filter((unit) => unit.length > 2),
  ...growth,
  ...["_kkt", "_loss_factor", "_status"].map((part) => `tariff0${part}`),
];

const isName = new Set(names);

/** Whether a text is a part of the names of some fields, and no name itself; one letter says nothing. */
const isPartOf = (text: string, holds: (name: string, part: string) => boolean): boolean =>
  text.length > 1 && !isName.has(text) && names.some((name) => holds(name, text));

const beginsWith = (name: string, part: string): boolean => name.startsWith(part);
const finishesWith = (name: string, part: string): boolean => name.endsWith(part);
const contains = (name: string, part: string): boolean => name.includes(part);

const methods = new Map([
  ["startsWith", beginsWith],
  ["endsWith", finishesWith],
  ...["includes", "indexOf", "split", "replace", "replaceAll"].map((name) => [name, contains] as const),
]);

/** Two letters in a row, or a digit at the end: of a tariff, a phase, an input. */
const speaksOfNames = (pattern: string): boolean =>
  /[a-z]{2}/i.test(pattern.replaceAll(/\\(?:[pP]\{\w+\}|.)|\[[^\]]*\]|\(\?\W?/g, " ")) ||
  /(?:\\d|\[\^?\d[^\]]*\])[+*]?\)?\$$/.test(pattern);

/** Whether a pattern holds for some names and not for others; one without words is a pattern of any text. */
function distinguishes(pattern: string, flags: string): boolean {
  if (!speaksOfNames(pattern)) return false;
  const expression = new RegExp(pattern, flags.replaceAll(/[gy]/g, ""));
  const found = names.filter((name) => expression.test(name)).length;
  return found > 0 && found < names.length;
}

/** The literal parts of a text; those of an interpolated one are separate. */
function literalParts(node: ts.Node, constants: ReadonlyMap<string, ts.Node>): readonly string[] {
  if (ts.isStringLiteralLike(node)) return [node.text];
  if (ts.isTemplateExpression(node))
    return [node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)];
  const named = ts.isIdentifier(node) ? constants.get(node.text) : undefined;
  return named && !ts.isIdentifier(named) ? literalParts(named, constants) : [];
}

const inSql = /(?:\b(?:i?like|similar\s+to)|!?~\*?)\s*'([^']*)'|\bstarts_with\(\s*[\w."]+\s*,\s*'([^']*)'/gi;

/** Patterns of a statement: of `like 'tariff%'` the part without its wildcards. */
function sqlParts(text: string): readonly string[] {
  return [...text.matchAll(inSql)]
    .flatMap(([, like = "", prefix = ""]) => `${like} ${prefix}`.split(/[%^$.*+()[\]\\\s]+/))
    .filter((part) => isPartOf(part, contains));
}

/** Constants of a file by their name. */
function constantsOf(file: ts.SourceFile): ReadonlyMap<string, ts.Node> {
  const found = new Map<string, ts.Node>();
  const visit = (node: ts.Node): void => {
    if (ts.isVariableDeclaration(node) && ts.isIdentifier(node.name) && node.initializer)
      found.set(node.name.text, node.initializer);
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

/** Patterns in a source text that tell fields from one another by their names. */
export function patternsOfNames(text: string): string[] {
  const file = ts.createSourceFile("source.tsx", text, ts.ScriptTarget.Latest, true, ts.ScriptKind.TSX);
  const constants = constantsOf(file);
  const found: string[] = [];
  const visitCall = (node: ts.CallExpression | ts.NewExpression): void => {
    const [argument] = node.arguments ?? [];
    if (argument === undefined) return;
    const called = node.expression;
    if (ts.isPropertyAccessExpression(called)) {
      const holds = methods.get(called.name.text);
      const parts = holds ? literalParts(argument, constants) : [];
      if (holds && parts.some((part) => isPartOf(part, holds)))
        found.push(`${called.name.text} ${parts.join("${}")}`);
    }
    if (called.getText(file) === "RegExp") {
      const pattern = literalParts(argument, constants);
      if (pattern.some((part) => isPartOf(part.replaceAll(/[\^$()]/g, ""), contains)))
        found.push(`RegExp ${pattern.join("${}")}`);
    }
  };
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) || ts.isNewExpression(node)) visitCall(node);
    if (ts.isRegularExpressionLiteral(node)) {
      const [, pattern = "", flags = ""] = /^\/(.*)\/([a-z]*)$/s.exec(node.text) ?? [];
      if (distinguishes(pattern, flags)) found.push(node.text);
    }
    if (ts.isStringLiteralLike(node) || ts.isTemplateExpression(node)) {
      const parts = literalParts(node, constants).flatMap(sqlParts);
      if (parts.length > 0) found.push(`SQL ${parts.join(" ")}`);
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

const root = join(import.meta.dirname, "..");

/** Every source file of the server and of the web except tests. */
function sources(): string[] {
  return ["apps/server/src", "apps/web/src"].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
      .filter(({ name }) => /\.tsx?$/.test(name) && !/\.(test|measure)\.tsx?$/.test(name))
      .map(({ parentPath, name }) => relative(root, join(parentPath, name)))
      .filter((path) => !/\/(testing|migrations)\//.test(path)),
  );
}

/** Files that tell fields apart by their names, with the patterns. */
export function filesWithPatterns(): Record<string, string[]> {
  const found = sources()
    .toSorted()
    .map((path) => [path, patternsOfNames(readFileSync(join(root, path), "utf8"))] as const)
    .filter(([, patterns]) => patterns.length > 0);
  return Object.fromEntries(found);
}

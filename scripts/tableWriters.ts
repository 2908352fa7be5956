import { readdirSync, readFileSync } from "node:fs";
import { basename, join, relative } from "node:path";
import ts from "typescript";

/** Placeholder for an interpolation that is only known at run time. */
const unknown = "?";

/** Placeholder for a table whose name is not literal. */
export const anyTable = "(any)";

const name = String.raw`(?:only\s+)?(?:public\.)?"?(\w+|\?)"?`;
const statements = [
  String.raw`\binsert\s+into\s+${name}`,
  String.raw`\bmerge\s+into\s+${name}`,
  String.raw`\bdelete\s+from\s+${name}`,
  String.raw`\btruncate\s+(?:table\s+)?${name}`,
  String.raw`\bcopy\s+${name}[^;]*\bfrom\b`,
  // The following token distinguishes a statement from "for update of" and "do update set".
  String.raw`(?<!\b(?:for|do|key)\s)\bupdate\s+${name}(?:\s+(?:as\s+)?\w+)?\s+set\b`,
].map((pattern) => new RegExp(pattern, "gi"));

const builders = new Set(["insertInto", "updateTable", "deleteFrom", "mergeInto", "replaceInto"]);

/** Every table that a source text writes, by the query builder or in its SQL. */
export function tablesWritten(text: string): Set<string> {
  const found = new Set<string>();
  const inSql = (sql: string): void => {
    for (const statement of statements)
      for (const [, table = unknown] of sql.matchAll(statement))
        found.add(table === unknown ? anyTable : table);
  };
  const visit = (node: ts.Node): void => {
    if (ts.isStringLiteralLike(node)) inSql(node.text);
    if (ts.isTemplateExpression(node))
      inSql([node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)].join(unknown));
    if (
      ts.isCallExpression(node) &&
      ts.isPropertyAccessExpression(node.expression) &&
      builders.has(node.expression.name.text)
    ) {
      const [table] = node.arguments;
      found.add(
        table !== undefined && ts.isStringLiteralLike(table)
          ? (table.text.split(" ")[0] ?? anyTable)
          : anyTable,
      );
    }
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile("source.ts", text, ts.ScriptTarget.Latest));
  return found;
}

/** Start of a statement; transaction control (begin, commit, savepoint) names no table. */
const statement =
  /^\s*(?:select|insert\s+into|update\s+\S+(?:\s+\w+)?\s+set|delete\s+from|merge\s+into|with\s+\w+\s+as|copy\s+\w+\s*\(|truncate|lock\s+table)\b/i;

/** Whether a source text has SQL: calls of the query builder, fragments, or statements as text. */
export function hasSql(text: string): boolean {
  const visit = (node: ts.Node): boolean => {
    if (ts.isTaggedTemplateExpression(node) && node.tag.getText(file) === "sql") return true;
    if (ts.isStringLiteralLike(node) && statement.test(node.text)) return true;
    if (ts.isTemplateExpression(node) && statement.test(node.head.text)) return true;
    if (
      ts.isCallExpression(node) &&
      ts.isPropertyAccessExpression(node.expression) &&
      (node.expression.name.text === "selectFrom" || builders.has(node.expression.name.text))
    )
      return true;
    return ts.forEachChild(node, visit) ?? false;
  };
  const file = ts.createSourceFile("source.ts", text, ts.ScriptTarget.Latest);
  return visit(file);
}

const source = join(import.meta.dirname, "../apps/server/src");
const migrations = "core/database/migrations/";

/** Every source file of the server except tests. */
function files(): string[] {
  return readdirSync(source, { recursive: true, withFileTypes: true })
    .filter(
      (entry) => entry.isFile() && entry.name.endsWith(".ts") && !/\.(test|measure)\.ts$/.test(entry.name),
    )
    .map((entry) => relative(source, join(entry.parentPath, entry.name)))
    .filter((path) => !path.startsWith("testing/"));
}

const read = (path: string): string => readFileSync(join(source, path), "utf8");

/** Every table that the migrations create. */
export function tables(): Set<string> {
  const made = files()
    .filter((path) => path.startsWith(migrations))
    .flatMap((path) => [
      ...read(path).matchAll(/\bcreate (?:unlogged )?table (?:if not exists )?"?(\w+)"?/gi),
    ]);
  return new Set(made.map(([, table = ""]) => table));
}

/** Files that write each table; writers of a table given as a parameter are listed under `anyTable`. */
export function writers(): Map<string, string[]> {
  const known = tables().add(anyTable);
  const found = new Map<string, string[]>([...known].map((table) => [table, []]));
  for (const path of files().filter((each) => !each.startsWith(migrations)))
    for (const table of tablesWritten(read(path))) found.get(table)?.push(path);
  return found;
}

/** Files that contain SQL although their name does not suggest it. */
export function sqlOutsideStores(): string[] {
  return files()
    .filter((path) => !path.startsWith(migrations) && !/store/i.test(basename(path)) && hasSql(read(path)))
    .sort();
}

/** Calls of the query builder that take a name into a statement. */
const namers = /^(?:selectFrom|table|ref|id|\w*[jJ]oin)$/;

/**
 * Whether a source text reads a table in its SQL, after `from`, `join` or `using` or as the source of COPY, or by the
 * query builder. The table of a DELETE is written.
 */
export function readsTable(text: string, table: string): boolean {
  const named = String.raw`(?:only\s+)?(?:public\.)?"?${table}\b`;
  const inSql = new RegExp(
    String.raw`(?<!\bdelete\s+)\bfrom\s+${named}|\b(?:join|using)\s+${named}|\bcopy\s+${named}[^;]*\bto\b`,
    "i",
  );
  const visit = (node: ts.Node): boolean => {
    if (ts.isStringLiteralLike(node) && (inSql.test(node.text) || isNamed(node, table))) return true;
    if (ts.isTemplateExpression(node)) {
      const parts = [node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)];
      if (inSql.test(parts.join(unknown))) return true;
    }
    return ts.forEachChild(node, visit) ?? false;
  };
  return visit(ts.createSourceFile("source.ts", text, ts.ScriptTarget.Latest, true));
}

/** The table of `selectFrom("message as m")`, of a join or of `sql.table("message")`. */
function isNamed(node: ts.StringLiteralLike, table: string): boolean {
  const call = node.parent;
  return (
    ts.isCallExpression(call) &&
    ts.isPropertyAccessExpression(call.expression) &&
    namers.test(call.expression.name.text) &&
    node.text.split(" ")[0] === table
  );
}

/** A source file: its path below the sources of the server, and its text. */
export interface Source {
  readonly path: string;
  readonly text: string;
}

/** Every source file of the server except tests and migrations. */
export const sources = (): Source[] =>
  files().flatMap((path) => (path.startsWith(migrations) ? [] : [{ path, text: read(path) }]));

/** Sources outside a folder that name a table at all. */
const naming = (folder: string, table: string, all: readonly Source[]): Source[] => {
  const word = new RegExp(String.raw`\b${table}\b`);
  return all.filter(({ path, text }) => !path.startsWith(folder) && word.test(text));
};

const pathsOf = (found: readonly Source[]): string[] => found.map(({ path }) => path).sort();

/** Files outside a folder that read a table in their SQL. */
export const readersOutside = (folder: string, table: string, all: readonly Source[]): string[] =>
  pathsOf(naming(folder, table, all).filter(({ text }) => readsTable(text, table)));

/** Files outside a folder that write a table in their SQL. */
export const writersOutside = (folder: string, table: string, all: readonly Source[]): string[] =>
  pathsOf(naming(folder, table, all).filter(({ text }) => tablesWritten(text).has(table)));

import { parseSync, Visitor, type Plugin } from "vite";

/** Properties of a call used only by the server: validation, response schema and OpenAPI. */
const ofServer = /^(?:summary|problems|reach|orRight|params|query|body|reply|ownFile)$/;
const declares = /^(?:call|publicCall)$/;

interface Edit {
  readonly from: number;
  readonly to: number;
  readonly put: string;
}

/**
 * A module of the contract without parts no browser needs: schemas, summaries and problems of its calls.
 * Standalone schemas are marked as pure, so that unused ones and the schema library are dropped from the
 * build.
 */
export function forBrowser(code: string): string {
  const edits: Edit[] = [];
  const visitor = new Visitor({
    CallExpression({ callee, arguments: [definition] }) {
      if (!declares.test(nameOf(callee)) || definition?.type !== "ObjectExpression") return;
      for (const each of definition.properties)
        if (each.type === "Property" && ofServer.test(nameOf(each.key))) edits.push(cut(code, each));
    },
    // As a whole: arguments, references or spreads inside a schema may have side effects as far as the
    // bundler knows.
    "Program:exit"({ body }) {
      for (const { start, end } of body.flatMap(valuesOf)) {
        if (!isOfSchemas(code.slice(start, end))) continue;
        edits.push({ from: start, to: start, put: "/* @__PURE__ */ (() => (" });
        edits.push({ from: end, to: end, put: "))()" });
      }
    },
  });
  visitor.visit(parseSync("contract.js", code).program);
  const cuts = edits.filter(({ put }) => put === "");
  const isCut = (at: number) => cuts.some(({ from, to }) => from <= at && at < to);
  return edits
    .filter(({ from, put }) => put === "" || !isCut(from))
    .sort((a, b) => b.from - a.from)
    .reduce((text, { from, to, put }) => text.slice(0, from) + put + text.slice(to), code);
}

type Statement = ReturnType<typeof parseSync>["program"]["body"][number];
interface Place {
  readonly start: number;
  readonly end: number;
}

/** Values of the constants that a statement declares. */
function valuesOf(statement: Statement): readonly Place[] {
  const declared = statement.type === "ExportNamedDeclaration" ? statement.declaration : statement;
  if (declared?.type !== "VariableDeclaration") return [];
  return declared.declarations.flatMap(({ init }) =>
    init?.type === "CallExpression" || init?.type === "ObjectExpression" ? [init] : [],
  );
}

interface Named {
  readonly type: string;
  readonly name?: unknown;
}
const nameOf = (node: Named): string =>
  node.type === "Identifier" && typeof node.name === "string" ? node.name : "";

/** A schema, or a collection of schemas; calls are kept, and marked only if they spread one. */
const isOfSchemas = (text: string): boolean =>
  /\bz\./.test(text) && (text.includes("...") || !/\b(?:call|publicCall)\(/.test(text));

/** An item of a list, with its trailing comma. */
function cut(code: string, { start, end }: Place): Edit {
  const comma = /^\s*,/.exec(code.slice(end))?.[0].length ?? 0;
  return { from: start, to: end + comma, put: "" };
}

export function contractForBrowser(): Plugin {
  return {
    name: "contract-for-browser",
    apply: "build",
    transform: {
      filter: { id: /packages\/contract\/src\/.*\.ts$/ },
      handler: (code) => ({ code: forBrowser(code), map: null }),
    },
  };
}

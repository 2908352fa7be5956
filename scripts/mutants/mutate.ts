import ts from "typescript";

/** One deliberate mistake in a source. */
export interface Mutant {
  readonly id: number;
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly was: string;
  readonly becomes: string;
}

export interface Mutated {
  /** The source with all its mutants, of which the one that is switched on is executed. */
  readonly code: string;
  readonly mutants: readonly Mutant[];
  /** The number after the last one, placed or not. */
  readonly nextId: number;
}

/** Asked before each mutated place with the number of the mutant, and answers whether it is switched on. */
export const switchName = "isMutant$";

/** The set of the caches of modules, which are emptied before each run of a test. */
export const cachesName = "caches$";

/** A source whose maps that live as long as its module can be emptied: they would hide a mutant, or outlive it. */
export const withCaches = (text: string): string =>
  text.replace(
    /^((?:export )?const \w+(?:: [^=\n]+)? = )(new (?:Map|Set)(?:<.*>)?\(\));$/gm,
    `$1((made) => ((globalThis.${cachesName} ??= new Set()).add(made), made))($2);`,
  );

type Kind = ts.SyntaxKind;
const kinds = ts.SyntaxKind;

/** Other operators that a mistake could have put here. */
const operators: ReadonlyMap<Kind, readonly string[]> = new Map([
  [kinds.PlusToken, ["-"]],
  [kinds.MinusToken, ["+"]],
  [kinds.AsteriskToken, ["/"]],
  [kinds.SlashToken, ["*"]],
  [kinds.PercentToken, ["*"]],
  [kinds.AsteriskAsteriskToken, ["*"]],
  [kinds.LessThanToken, ["<=", ">="]],
  [kinds.LessThanEqualsToken, ["<", ">"]],
  [kinds.GreaterThanToken, [">=", "<="]],
  [kinds.GreaterThanEqualsToken, [">", "<"]],
  [kinds.EqualsEqualsEqualsToken, ["!=="]],
  [kinds.ExclamationEqualsEqualsToken, ["==="]],
  [kinds.AmpersandAmpersandToken, ["||"]],
  [kinds.BarBarToken, ["&&"]],
  [kinds.QuestionQuestionToken, ["&&"]],
  [kinds.AmpersandToken, ["|"]],
  [kinds.BarToken, ["&"]],
  [kinds.CaretToken, ["&"]],
  [kinds.LessThanLessThanToken, [">>"]],
  [kinds.GreaterThanGreaterThanToken, ["<<"]],
  [kinds.GreaterThanGreaterThanGreaterThanToken, ["<<"]],
  [kinds.PlusEqualsToken, ["-="]],
  [kinds.MinusEqualsToken, ["+="]],
  [kinds.AsteriskEqualsToken, ["/="]],
  [kinds.SlashEqualsToken, ["*="]],
  [kinds.BarEqualsToken, ["&="]],
  [kinds.AmpersandEqualsToken, ["|="]],
  [kinds.QuestionQuestionEqualsToken, ["&&="]],
]);

/** Those whose result is a condition. */
const conditions: ReadonlySet<Kind> = new Set([
  kinds.LessThanToken,
  kinds.LessThanEqualsToken,
  kinds.GreaterThanToken,
  kinds.GreaterThanEqualsToken,
  kinds.EqualsEqualsEqualsToken,
  kinds.ExclamationEqualsEqualsToken,
  kinds.AmpersandAmpersandToken,
  kinds.BarBarToken,
]);

const methods: ReadonlyMap<string, string> = new Map([
  ["min", "max"],
  ["max", "min"],
  ["floor", "ceil"],
  ["ceil", "floor"],
  ["round", "floor"],
  ["trunc", "ceil"],
  ["some", "every"],
  ["every", "some"],
  ["startsWith", "endsWith"],
  ["endsWith", "startsWith"],
  ["padStart", "padEnd"],
  ["find", "findLast"],
  ["findLast", "find"],
  ["indexOf", "lastIndexOf"],
  ["toUpperCase", "toLowerCase"],
  ["toLowerCase", "toUpperCase"],
]);

const languages: ReadonlySet<string> = new Set(["ru", "en", "mn"]);

/** Left out, the call gives what it is called on. */
const omitted: ReadonlySet<string> = new Set(["filter", "sort", "toSorted", "reverse", "slice", "trim"]);

/** Places mutants in a source. `firstId`: the number of the first one. `isWanted`: whether one is placed, by its number. */
export function mutate(
  file: string,
  text: string,
  { firstId = 1, isWanted = () => true }: { firstId?: number; isWanted?: (id: number) => boolean } = {},
): Mutated {
  const kind = file.endsWith(".tsx") ? ts.ScriptKind.TSX : ts.ScriptKind.TS;
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true, kind);
  const mutants: Mutant[] = [];

  const note = (node: ts.Node, becomes: string): number => {
    const { line, character } = source.getLineAndCharacterOfPosition(node.getStart(source));
    const id = firstId + mutants.length;
    const was = node.getText(source);
    mutants.push({ id, file, line: line + 1, column: character + 1, was, becomes });
    return id;
  };
  const isOn = (id: number): string => `globalThis.${switchName}(${id})`;

  function inside(node: ts.Node): string {
    let [code, at] = ["", node.getStart(source)];
    ts.forEachChild(node, (child) => {
      code += text.slice(at, child.getStart(source)) + visit(child);
      at = child.end;
    });
    return code + text.slice(at, node.end);
  }

  function visit(node: ts.Node): string {
    if (isWithoutValue(node)) return node.getText(source);
    if (isRemovable(node)) {
      const id = note(node, "{}");
      return isWanted(id) ? `{ if (!${isOn(id)}) ${inside(node)} }` : inside(node);
    }
    const numbered = mistakesIn(node, source)
      .map((becomes) => [note(node, becomes), becomes] as const)
      .filter(([id]) => isWanted(id));
    const code = inside(node);
    if (numbered.length === 0) return code;
    return `(${numbered.map(([id, becomes]) => `${isOn(id)} ? (${becomes}) : `).join("")}(${code}))`;
  }

  const code = text.slice(0, source.getStart(source)) + inside(source);
  return { code, mutants: mutants.filter(({ id }) => isWanted(id)), nextId: firstId + mutants.length };
}

/** Types, imports, exports and patterns: nothing that is computed. */
function isWithoutValue(node: ts.Node): boolean {
  if (ts.isTypeNode(node) || ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node)) return true;
  if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return true;
  const { parent } = node;
  return (
    (ts.isArrayLiteralExpression(node) || ts.isObjectLiteralExpression(node)) &&
    ts.isBinaryExpression(parent) &&
    parent.operatorToken.kind === kinds.EqualsToken &&
    parent.left === node
  );
}

/** A block that could be missing: the body of a function, a branch or a loop. */
function isRemovable(node: ts.Node): node is ts.Block {
  if (!ts.isBlock(node) || node.statements.length === 0) return false;
  const { parent } = node;
  return (
    ts.isFunctionDeclaration(parent) ||
    ts.isFunctionExpression(parent) ||
    ts.isArrowFunction(parent) ||
    ts.isMethodDeclaration(parent) ||
    ts.isIfStatement(parent) ||
    ts.isIterationStatement(parent, false)
  );
}

/** What could stand in the place of an expression. */
function mistakesIn(node: ts.Node, source: ts.SourceFile): readonly string[] {
  if (isWithinChain(node) || ts.isTaggedTemplateExpression(node.parent)) return [];
  const found = [
    ...(ts.isBinaryExpression(node) ? ofOperator(node, source) : []),
    ...ofSign(node, source),
    ...ofLiteral(node),
    ...(ts.isCallExpression(node) ? ofCall(node, source) : []),
    ...ofChain(node, source),
    ...ofCondition(node),
    ...(isBodyOfArrow(node) ? ["undefined"] : []),
  ];
  return [...new Set(found)].filter((becomes) => becomes !== node.getText(source));
}

function ofOperator(node: ts.BinaryExpression, source: ts.SourceFile): string[] {
  const { left, operatorToken, right } = node;
  // Texts have no difference.
  const isText = [left, right].some((side) => ts.isStringLiteralLike(side) || ts.isTemplateExpression(side));
  if (isText && operatorToken.kind === kinds.PlusToken) return [];
  // Operators that bind otherwise, or may not stand beside each other.
  const textOf = (side: ts.Expression): string =>
    ts.isBinaryExpression(side) ? `(${side.getText(source)})` : side.getText(source);
  return (operators.get(operatorToken.kind) ?? []).map(
    (operator) => `${textOf(left)} ${operator} ${textOf(right)}`,
  );
}

function ofSign(node: ts.Node, source: ts.SourceFile): string[] {
  if (ts.isPostfixUnaryExpression(node)) {
    const other = node.operator === kinds.PlusPlusToken ? "--" : "++";
    return [`${node.operand.getText(source)}${other}`];
  }
  if (!ts.isPrefixUnaryExpression(node)) return [];
  const operand = node.operand.getText(source);
  if (node.operator === kinds.PlusPlusToken) return [`--${operand}`];
  if (node.operator === kinds.MinusMinusToken) return [`++${operand}`];
  return node.operator === kinds.MinusToken || node.operator === kinds.ExclamationToken ? [operand] : [];
}

function ofLiteral(node: ts.Node): string[] {
  if (node.kind === kinds.TrueKeyword) return ["false"];
  if (node.kind === kinds.FalseKeyword) return ["true"];
  if (ts.isArrayLiteralExpression(node)) return node.elements.length > 0 ? ["[]"] : [];
  if (ts.isObjectLiteralExpression(node)) return node.properties.length > 0 ? ["{}"] : [];
  if (ts.isTemplateExpression(node)) return isOfError(node) ? [] : ['""'];
  if (!ts.isStringLiteralLike(node) || !isValue(node)) return [];
  return [node.text === "" ? '"mutant"' : '""'];
}

/** Not a name, a directive, the text of an error, or words of a language, which are no computation. */
function isValue(node: ts.StringLiteralLike): boolean {
  const { parent } = node;
  if (ts.isCallExpression(parent) && (parent.expression.getText() === "text" || isOfWords(parent)))
    return false;
  if (ts.isPropertyAssignment(parent) && parent.initializer === node && languages.has(parent.name.getText()))
    return false;
  if (ts.isJsxAttribute(parent) || ts.isExpressionStatement(parent) || ts.isImportTypeNode(parent))
    return false;
  if ("name" in parent && parent.name === node) return false;
  if (ts.isBindingElement(parent) && parent.propertyName === node) return false;
  return !isOfError(node);
}

const isOfError = (node: ts.Node): boolean =>
  ts.findAncestor(node, (each) => ts.isThrowStatement(each) || ts.isFunctionLike(each))?.kind ===
  kinds.ThrowStatement;

function ofCall({ expression, arguments: given }: ts.CallExpression, source: ts.SourceFile): string[] {
  if (!ts.isPropertyAccessExpression(expression)) return [];
  const { name, questionDotToken } = expression;
  const on = expression.expression.getText(source);
  if (omitted.has(name.text)) return [on];
  const other = methods.get(name.text);
  if (other === undefined) return [];
  const listed = given.map((each) => each.getText(source)).join(", ");
  return [`${on}${questionDotToken ? "?." : "."}${other}(${listed})`];
}

const isChain = (node: ts.Node): boolean => (node.flags & ts.NodeFlags.OptionalChain) !== 0;

/** Parentheses around a part of a chain would change where it ends, and around a method what it is called on. */
function isWithinChain(node: ts.Node): boolean {
  const { parent } = node;
  if (!("expression" in parent) || parent.expression !== node) return false;
  if (ts.isCallExpression(parent) && ts.isPropertyAccessExpression(node)) return true;
  return isChain(node) && isChain(parent);
}

/** Each `?.` of a chain as if nothing could be missing there. */
function ofChain(node: ts.Node, source: ts.SourceFile): string[] {
  const found: string[] = [];
  const [text, start] = [node.getText(source), node.getStart(source)];
  let at = node;
  while (isChain(at)) {
    const link = at as ts.PropertyAccessChain | ts.ElementAccessChain | ts.CallChain;
    if (link.questionDotToken) {
      const [from, to] = [link.questionDotToken.getStart(source) - start, link.questionDotToken.end - start];
      found.push(`${text.slice(0, from)}${ts.isPropertyAccessExpression(link) ? "." : ""}${text.slice(to)}`);
    }
    at = link.expression;
  }
  return found;
}

/** A condition that always or never holds; a loop that never ends would be of no use. */
function ofCondition(node: ts.Node): string[] {
  const { parent } = node;
  const isOfLoop =
    (ts.isWhileStatement(parent) && parent.expression === node) ||
    (ts.isDoStatement(parent) && parent.expression === node) ||
    (ts.isForStatement(parent) && parent.condition === node);
  if (isOfLoop) return ["false"];
  const isOfBranch =
    (ts.isIfStatement(parent) && parent.expression === node) ||
    (ts.isConditionalExpression(parent) && parent.condition === node);
  const isOne = ts.isBinaryExpression(node) && conditions.has(node.operatorToken.kind);
  return isOfBranch || isOne ? ["true", "false"] : [];
}

/** One of its texts is of a language: it has letters of another alphabet than that of the code. */
const isOfWords = ({ arguments: given }: ts.CallExpression): boolean =>
  given.some((each) => ts.isStringLiteralLike(each) && /[^\p{ASCII}]/u.test(each.text));

const isBodyOfArrow = (node: ts.Node): boolean =>
  ts.isArrowFunction(node.parent) && node.parent.body === node && !ts.isBlock(node);

// Rules of our own, for oxlint: what its built-in rules do not know.

const exportsByName = {
  create: (context) => ({
    ExportAllDeclaration: (node) =>
      context.report({ node, message: "Name what is exported; no `export *`." }),
  }),
};

/** Only config.ts reads the environment. */
const environmentInOnePlace = {
  create: (context) => ({
    MemberExpression(node) {
      if (node.object.name === "process" && node.property.name === "env")
        context.report({ node, message: "Only config.ts reads the environment." });
    },
  }),
};

/** Everything shown is a translation key. */
const textIsTranslated = {
  create: (context) => ({
    JSXText(node) {
      if (/[A-Za-zА-Яа-яӨөҮүЁё]{2,}/.test(node.value))
        context.report({ node, message: "Text is a translation: use t()." });
    },
  }),
};

const isEmptyCollection = ({ type, callee, arguments: given }) =>
  type === "NewExpression" && /^(Weak)?(Map|Set)$/.test(callee.name ?? "") && given.length === 0;

/** Whether something can fill the variable later: a collection that begins empty and is not read-only. */
function isFilledLater({ id, init }) {
  const type = id.typeAnnotation?.typeAnnotation;
  if (init?.type === "ArrayExpression") return init.elements.length === 0 && type?.operator !== "readonly";
  return !!init && isEmptyCollection(init) && !/^Readonly/.test(type?.typeName?.name ?? "");
}

/** Variables of a module that outlive a call: `let`, and collections that are filled later. */
const noHiddenState = {
  create: (context) => ({
    Program({ body }) {
      for (const statement of body) {
        const found = statement.type === "ExportNamedDeclaration" ? statement.declaration : statement;
        if (found?.type !== "VariableDeclaration") continue;
        if (found.kind === "let" || found.declarations.some(isFilledLater))
          context.report({
            node: found,
            message: "What outlives a call is built in services.ts and handed over with the services.",
          });
      }
    },
  }),
};

/** What an effect returns is its clean-up; what a browser returns may become something, as `scrollIntoView` has. */
const effectsReturnCleanups = {
  create: (context) => ({
    CallExpression({ callee, arguments: [effect] }) {
      if (!/^use(Layout)?Effect$/.test(callee.name ?? "") || effect?.type !== "ArrowFunctionExpression")
        return;
      if (effect.body.type === "ChainExpression")
        context.report({ node: effect, message: "Write a block: what is called may return something." });
    },
  }),
};

const isNothing = ({ type, name, value, body }) =>
  (type === "Identifier" && name === "undefined") ||
  (type === "Literal" && (value === null || value === false)) ||
  (type === "BlockStatement" && body.length === 0);

/** A `catch` that ignores every error hides bugs. */
const catchLetsBugsThrough = {
  create: (context) => ({
    CallExpression({ callee, arguments: [handler] }) {
      if (callee.property?.name !== "catch" || handler?.type !== "ArrowFunctionExpression") return;
      if (isNothing(handler.body))
        context.report({ node: handler, message: "Use ignoreFailure of #lib/call: it throws bugs on." });
    },
  }),
};

/** The component or hook whose render runs a node; undefined in a callback, which runs later. */
function renderOf(node) {
  for (let each = node.parent; each; each = each.parent) {
    if (!/Function/.test(each.type)) continue;
    if (/^use(Memo|State|Reducer)$/.test(each.parent.callee?.name ?? "")) continue;
    const name = each.id?.name ?? each.parent.id?.name ?? "";
    return /^(use)?[A-Z]/.test(name) ? each : undefined;
  }
  return undefined;
}

/** A render may be thrown away or repeated: a ref is written in effects and by events only. */
const refsOutsideRender = {
  create: (context) => {
    const judge = (node, target) => {
      if (target.type === "MemberExpression" && target.property.name === "current" && renderOf(node))
        context.report({ node, message: "A ref is never written in render: write it in an effect." });
    };
    return {
      AssignmentExpression: (node) => judge(node, node.left),
      UpdateExpression: (node) => judge(node, node.argument),
    };
  },
};

export default {
  meta: { name: "metrum" },
  rules: {
    "exports-by-name": exportsByName,
    "environment-in-one-place": environmentInOnePlace,
    "text-is-translated": textIsTranslated,
    "no-hidden-state": noHiddenState,
    "effects-return-cleanups": effectsReturnCleanups,
    "catch-lets-bugs-through": catchLetsBugsThrough,
    "refs-outside-render": refsOutsideRender,
  },
};

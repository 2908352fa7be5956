import js from "@eslint/js";
import tseslint from "typescript-eslint";

/** Text that a person would read; everything shown is a translation key. */
const literalText = {
  selector: "JSXText[value=/[A-Za-zА-Яа-яӨөҮүЁё]{2,}/]",
  message: "Text is a translation: use t().",
};
const exportStar = {
  selector: "ExportAllDeclaration",
  message: "Name what is exported; no `export *`.",
};
const environment = {
  selector: "MemberExpression[object.name='process'][property.name='env']",
  message: "Only config.ts reads the environment.",
};
const atModuleLevel = ":matches(Program, Program > ExportNamedDeclaration) > VariableDeclaration";
const hiddenMessage = "What outlives a call is built in services.ts and handed over with the services.";
/** Variables of a module that something fills later: collections that begin empty and are not read-only, and `let`. */
const hiddenState = [
  {
    selector: `${atModuleLevel} > VariableDeclarator:not([id.typeAnnotation.typeAnnotation.typeName.name=/^Readonly/]) > NewExpression[callee.name=/^(Weak)?(Map|Set)$/][arguments.length=0]`,
    message: hiddenMessage,
  },
  {
    selector: `${atModuleLevel} > VariableDeclarator:not([id.typeAnnotation.typeAnnotation.operator='readonly']) > ArrayExpression[elements.length=0]`,
    message: hiddenMessage,
  },
  { selector: `${atModuleLevel}[kind='let']`, message: hiddenMessage },
];
const climbing = {
  patterns: [
    {
      regex: "^(\\.\\./){3,}",
      message: "Enter another folder through its index (#name), not by climbing.",
    },
  ],
};

export default tseslint.config(
  { ignores: ["**/dist/**", "**/node_modules/**", "data/**", "coverage/**", "bench/results/**"] },
  js.configs.recommended,
  {
    files: ["**/*.ts", "**/*.tsx"],
    // Rules that need types are in .oxlintrc.json: there they take an eighth of the time.
    extends: [...tseslint.configs.strict],
    rules: {
      "@typescript-eslint/no-explicit-any": "error",
      "@typescript-eslint/no-non-null-assertion": "error",
      "@typescript-eslint/consistent-type-imports": "error",
      "@typescript-eslint/no-unused-vars": ["error", { argsIgnorePattern: "^_", varsIgnorePattern: "^_" }],
      "no-console": "error",
      "max-lines": ["error", { max: 500, skipBlankLines: true, skipComments: true }],
      "max-lines-per-function": ["error", { max: 80, skipBlankLines: true, skipComments: true }],
      complexity: ["error", 15],
      "no-restricted-imports": ["error", climbing],
      "no-restricted-syntax": ["error", exportStar, environment],
    },
  },
  {
    files: ["apps/server/src/**/*.ts"],
    // The process itself, and what tests count in theirs.
    ignores: ["apps/server/src/main.ts", "apps/server/src/testing/**"],
    rules: { "no-restricted-syntax": ["error", exportStar, environment, ...hiddenState] },
  },
  {
    files: ["**/*.tsx"],
    rules: {
      "max-lines-per-function": ["error", { max: 120, skipBlankLines: true, skipComments: true }],
      "no-restricted-syntax": ["error", exportStar, environment, literalText],
    },
  },
  {
    files: ["apps/server/src/config.ts"],
    rules: { "no-restricted-syntax": ["error", exportStar] },
  },
  {
    // Command-line programs answer on standard output; tests arrange long tables and read the environment of the run.
    files: [
      "**/cli.ts",
      "**/cli/*.ts",
      "bench/**",
      "e2e/**",
      "**/*.test.ts",
      "**/*.measure.ts",
      "vitest.config.ts",
      "**/*.test.tsx",
      "scripts/**",
    ],
    rules: {
      "no-console": "off",
      "max-lines-per-function": "off",
      "no-restricted-syntax": ["error", exportStar],
    },
  },
  {
    // Tables of data are long by nature.
    files: ["packages/vocabulary/src/**", "packages/catalogue/src/models/**"],
    rules: { "max-lines": "off" },
  },
  {
    files: ["**/*.js", "**/*.mjs", "**/*.cjs"],
    languageOptions: {
      globals: {
        process: "readonly",
        console: "readonly",
        URL: "readonly",
        setTimeout: "readonly",
        module: "writable",
        navigator: "readonly",
        self: "readonly",
        caches: "readonly",
        fetch: "readonly",
        document: "readonly",
        window: "readonly",
        localStorage: "readonly",
        matchMedia: "readonly",
        location: "readonly",
        Response: "readonly",
        Promise: "readonly",
        clearTimeout: "readonly",
        Buffer: "readonly",
      },
    },
  },
);

/** Who may import whom. ARCHITECTURE.md draws the same picture. */
const only = (name, from, allowed) => ({
  name,
  severity: "error",
  from: { path: `^${from}/`, pathNot: "\\.test\\.tsx?$" },
  to: { path: "^(packages|apps|bench|e2e)/", pathNot: [`^${from}/`, ...allowed.map((at) => `^${at}/`)] },
});

/** The wings of the server, lowest first. */
const wings = ["access", "metering", "headend", "accounting", "insight", "platform"];
const wing = (name) => `^apps/server/src/${name}/`;

/** A wing never imports a higher one; what must travel up is a registration or a mark in the database. */
const wingOrder = wings.slice(0, -1).map((name, at) => ({
  name: `${name}-imports-no-higher-wing`,
  severity: "error",
  from: { path: wing(name), pathNot: "\\.test\\.ts$" },
  to: { path: wings.slice(at + 1).map(wing) },
}));

/** The contract has the wings of the server, above what all of them share. */
const contractWings = ["core", ...wings];
const contractOrder = contractWings.slice(0, -1).map((name, at) => ({
  name: `contract-${name}-imports-no-higher-wing`,
  severity: "error",
  from: { path: `^packages/contract/src/${name}/`, pathNot: "\\.test\\.ts$" },
  to: { path: contractWings.slice(at + 1).map((each) => `^packages/contract/src/${each}/`) },
}));

module.exports = {
  forbidden: [
    ...wingOrder,
    ...contractOrder,
    {
      name: "accounting-imports-no-headend",
      severity: "error",
      comment: "Accounting stands on stored data alone, beside the communication with devices.",
      from: { path: wing("accounting"), pathNot: "\\.test\\.ts$" },
      to: { path: wing("headend") },
    },
    {
      name: "insight-imports-no-headend",
      severity: "error",
      comment: "Insight stands on stored data alone, beside the communication with devices.",
      from: { path: wing("insight"), pathNot: "\\.test\\.ts$" },
      to: { path: wing("headend") },
    },
    only("vocabulary-imports-nothing", "packages/vocabulary", []),
    only("protocols-import-vocabulary", "packages/protocols", ["packages/vocabulary"]),
    only("catalogue-imports", "packages/catalogue", ["packages/vocabulary", "packages/protocols"]),
    only("contract-imports", "packages/contract", ["packages/vocabulary"]),
    only("simulator-imports", "packages/simulator", [
      "packages/vocabulary",
      "packages/protocols",
      "packages/catalogue",
    ]),
    only("server-imports", "apps/server", ["packages"]),
    only("web-imports", "apps/web", ["packages/contract", "packages/vocabulary"]),
    {
      name: "pure-packages-do-no-io",
      severity: "error",
      comment: "protocols, catalogue, vocabulary and contract are pure: no Node module.",
      from: { path: "^packages/(protocols|catalogue|vocabulary|contract)/src", pathNot: "\\.test\\.ts$" },
      to: { dependencyTypes: ["core"] },
    },
    {
      name: "no-cycles",
      severity: "error",
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ["type-only"] } },
    },
    {
      name: "undeclared-package",
      severity: "error",
      comment: "Tests and what they share use the test tools that the root declares.",
      from: { pathNot: ["\\.test\\.tsx?$", "^apps/server/src/testing/"] },
      to: { dependencyTypes: ["npm-no-pkg", "npm-unknown"] },
    },
    {
      name: "core-imports-no-domain",
      severity: "error",
      from: { path: "^apps/server/src/core/", pathNot: "\\.test\\.ts$" },
      to: { path: "^apps/server/src/", pathNot: ["^apps/server/src/core/", "^apps/server/src/config\\.ts$"] },
    },
    {
      name: "domains-are-closed",
      severity: "error",
      comment: "Enter another domain through its index.ts (#wing/name).",
      from: {
        path: "^apps/server/src/([^/]+/[^/]+)/",
        pathNot: ["\\.test\\.ts$", "^apps/server/src/(core|cli|testing)/"],
      },
      to: {
        path: "^apps/server/src/[^/]+/[^/]+/",
        pathNot: [
          "^apps/server/src/$1/",
          "^apps/server/src/[^/]+/[^/]+/index\\.ts$",
          "^apps/server/src/core/",
        ],
      },
    },
    {
      name: "rooms-are-closed",
      severity: "error",
      comment: "Enter a room of a large domain through its index.ts.",
      from: {
        path: "^apps/server/src/(metering/messages|metering/devices|headend/control|accounting/accounting-points|accounting/validation)/([^/]+)",
        pathNot: "\\.test\\.ts$",
      },
      to: {
        path: "^apps/server/src/$1/[^/]+/",
        pathNot: ["^apps/server/src/$1/$2/", "^apps/server/src/$1/[^/]+/index\\.ts$"],
      },
    },
    {
      name: "dialogue-knows-no-line-work",
      severity: "error",
      comment:
        "A domain declares its line jobs in domains.ts; dialogue stands on lines, exchange log and tasks only.",
      from: { path: "^apps/server/src/headend/dialogue/", pathNot: "\\.test\\.ts$" },
      to: {
        path: "^apps/server/src/headend/",
        pathNot: "^apps/server/src/headend/(dialogue|channels|exchanges|tasks)/",
      },
    },
    {
      name: "programs-enter-domains-by-their-index",
      severity: "error",
      from: { path: "^apps/server/src/(cli/|[^/]+$)", pathNot: "\\.test\\.ts$" },
      to: {
        path: "^apps/server/src/[^/]+/[^/]+/",
        pathNot: ["^apps/server/src/[^/]+/[^/]+/index\\.ts$", "^apps/server/src/(core|cli)/"],
      },
    },
    {
      name: "ui-and-lib-know-no-feature",
      severity: "error",
      from: { path: "^apps/web/src/(ui|lib)/" },
      to: { path: "^apps/web/src/(features|app)/" },
    },
    {
      name: "lib-knows-no-ui",
      severity: "error",
      comment: "lib is below ui; a declaration may name a type of it (the icon of a screen).",
      from: { path: "^apps/web/src/lib/", pathNot: "\\.test\\.tsx?$" },
      to: { path: "^apps/web/src/ui/", dependencyTypesNot: ["type-only"] },
    },
    {
      name: "features-do-not-import-app",
      severity: "error",
      from: { path: "^apps/web/src/features/" },
      to: { path: "^apps/web/src/app/" },
    },
    {
      name: "features-are-closed",
      severity: "error",
      from: { path: "^apps/web/src/features/([^/]+)/", pathNot: "\\.test\\.tsx?$" },
      to: {
        path: "^apps/web/src/features/[^/]+/",
        pathNot: ["^apps/web/src/features/$1/", "/index\\.tsx?$"],
      },
    },
    {
      name: "no-orphans",
      severity: "error",
      from: {
        orphan: true,
        pathNot: [
          "\\.test\\.tsx?$",
          "\\.d\\.ts$",
          "(^|/)(cli|main|run)\\.tsx?$",
          "^bench/",
          "^e2e/",
          "\\.mjs$",
          "testdata/",
          "\\.config\\.(ts|js)$",
          "testing/",
          "worker\\.ts$",
          "apps/web/public/",
          "^apps/web/serviceWorker\\.js$",
        ],
      },
      to: {},
    },
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    exclude: { path: "(^|/)dist/" },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: "tsconfig.json" },
    enhancedResolveOptions: {
      conditionNames: ["source", "import", "types", "node", "default"],
      exportsFields: ["exports"],
      extensions: [".ts", ".tsx", ".mjs", ".js", ".json"],
    },
  },
};

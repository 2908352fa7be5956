/** Files of a small tree, by their paths. */
export type Tree = Readonly<Record<string, string>>;

const named = "export const a = 1;\n";
const imports = (path: string): string => `import { a } from "${path}";\nexport const b = a;\n`;

/** For each rule of .dependency-cruiser.cjs a file that breaks it, first, and the files that it names. */
export const breaches: Readonly<Record<string, Tree>> = {
  ...higherWings(
    "apps/server/src",
    ["access", "metering", "headend", "accounting", "insight", "platform"],
    "",
  ),
  ...higherWings(
    "packages/contract/src",
    ["core", "access", "metering", "headend", "accounting", "insight", "platform"],
    "contract-",
  ),
  "accounting-imports-no-headend": {
    "apps/server/src/accounting/bills/asks.ts": imports("../../headend/lines/index.ts"),
    "apps/server/src/headend/lines/index.ts": named,
  },
  "insight-imports-no-headend": {
    "apps/server/src/insight/board/asks.ts": imports("../../headend/lines/index.ts"),
  },
  "vocabulary-imports-nothing": {
    "packages/vocabulary/src/climbs.ts": imports("../../contract/src/named.ts"),
    "packages/contract/src/named.ts": named,
  },
  "protocols-import-vocabulary": {
    "packages/protocols/src/climbs.ts": imports("../../contract/src/named.ts"),
  },
  "catalogue-imports": { "packages/catalogue/src/climbs.ts": imports("../../contract/src/named.ts") },
  "contract-imports": {
    "packages/contract/src/climbs.ts": imports("../../protocols/src/named.ts"),
    "packages/protocols/src/named.ts": named,
  },
  "simulator-imports": { "packages/simulator/src/climbs.ts": imports("../../contract/src/named.ts") },
  "server-imports": {
    "apps/server/src/climbs.ts": imports("../../web/src/named.ts"),
    "apps/web/src/named.ts": named,
  },
  "web-imports": { "apps/web/src/climbs.ts": imports("../../../packages/protocols/src/named.ts") },
  "pure-packages-do-no-io": {
    "packages/protocols/src/reads.ts":
      'import { readFileSync } from "node:fs";\nexport const a = readFileSync;\n',
  },
  "no-cycles": {
    "apps/server/src/core/here.ts": imports("./there.ts"),
    "apps/server/src/core/there.ts": imports("./here.ts"),
  },
  "undeclared-package": {
    "apps/server/src/core/borrows.ts": imports("undeclared"),
    "node_modules/undeclared/package.json":
      '{ "name": "undeclared", "version": "1.0.0", "main": "index.js" }',
    "node_modules/undeclared/index.js": "exports.a = 1;\n",
  },
  "core-imports-no-domain": {
    "apps/server/src/core/climbs.ts": imports("../access/users/index.ts"),
    "apps/server/src/access/users/index.ts": named,
  },
  "domains-are-closed": {
    "apps/server/src/metering/devices/slips.ts": imports("../../access/users/userStore.ts"),
    "apps/server/src/access/users/userStore.ts": named,
  },
  "rooms-are-closed": {
    "apps/server/src/metering/messages/views/slips.ts": imports("../days/dayStore.ts"),
    "apps/server/src/metering/messages/days/dayStore.ts": named,
  },
  "dialogue-knows-no-line-work": {
    "apps/server/src/headend/dialogue/knows.ts": imports("../polling/index.ts"),
    "apps/server/src/headend/polling/index.ts": named,
  },
  "programs-enter-domains-by-their-index": {
    "apps/server/src/cli/slips.ts": imports("../access/users/userStore.ts"),
  },
  "lib-knows-no-ui": {
    "apps/web/src/lib/climbs.ts": imports("../ui/named.ts"),
    "apps/web/src/ui/named.ts": named,
  },
  "ui-and-lib-know-no-feature": {
    "apps/web/src/ui/climbs.ts": imports("../features/devices/index.ts"),
    "apps/web/src/features/devices/index.ts": named,
  },
  "features-do-not-import-app": {
    "apps/web/src/features/devices/climbs.ts": imports("../../app/named.ts"),
    "apps/web/src/app/named.ts": named,
  },
  "features-are-closed": {
    "apps/web/src/features/devices/slips.ts": imports("../gateways/form.ts"),
    "apps/web/src/features/gateways/form.ts": named,
  },
  "no-orphans": { "apps/web/src/lib/alone.ts": named },
};

/** Each wing but the highest imports the one above it. */
function higherWings(root: string, wings: readonly string[], prefix: string): Readonly<Record<string, Tree>> {
  return Object.fromEntries(
    wings.slice(0, -1).map((wing, at) => {
      const above = String(wings[at + 1]);
      const tree = {
        [`${root}/${wing}/climbing/climbs.ts`]: imports(`../../${above}/named/index.ts`),
        [`${root}/${above}/named/index.ts`]: named,
      };
      return [`${prefix}${wing}-imports-no-higher-wing`, tree];
    }),
  );
}

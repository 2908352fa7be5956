import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

const source = { resolve: { conditions: ["source"] }, ssr: { resolve: { conditions: ["source"] } } };

/** What takes times is no test: it runs alone, when asked. */
const isMeasuring = process.env["METRUM_TIMING"] === "true";

/** A platform that is given is one, and no two files may share it. */
const isOnePlatform = process.env["METRUM_E2E_PLATFORM"] !== undefined;

/** Files of 10 s and more come first, so that no worker is alone with one at the end. */
const long = [
  "e2e/access.test.ts",
  "e2e/platformAdmin.test.ts",
  "e2e/administration.test.ts",
  // Not among the first: it waits for polls, of which a new platform has made none.
  "e2e/live.test.ts",
  "e2e/shellComplete.test.ts",
  "e2e/devices.test.ts",
  "e2e/companies.test.ts",
  "e2e/users.test.ts",
  "e2e/profile.test.ts",
  "server/src/headend/polling/readHoles.test.ts",
  "server/src/headend/control/control.test.ts",
  "server/src/testing/foreignIds.test.ts",
  "server/src/testing/hostile.test.ts",
  "server/src/headend/uplinks/ways/databaseAway.test.ts",
  "server/src/testing/walk.test.ts",
  "server/src/headend/channels/modems/attachments.test.ts",
  "server/src/headend/polling/polling.test.ts",
  "server/src/metering/imports/imports.test.ts",
  "server/src/platform/demo/listening.test.ts",
  "server/src/headend/modems/tryModels.test.ts",
  "server/src/testing/smuggled.test.ts",
  "server/src/core/database/embedded/embedded.test.ts",
  "protocols/src/fuzz.test.ts",
];

class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const placeOf = ({ moduleId }: TestSpecification) => {
      const at = long.findIndex((path) => moduleId.endsWith(path));
      return at < 0 ? long.length : at;
    };
    const sorted = await super.sort(files);
    return sorted.toSorted((a, b) => placeOf(a) - placeOf(b));
  }
}

/** They replace modules, which takes a process that has not loaded them and loads them for nobody else. */
const alone = "**/*.alone.test.{ts,tsx}";

/** Against hanging: one second, the default, is short where a processor is shared. */
const patient = { expect: { poll: { timeout: 60_000 } } };

const serverTests = {
  ...patient,
  environment: "node",
  globalSetup: ["scripts/bundle.mjs", "apps/server/src/testing/globalSetup.ts"],
  testTimeout: 180_000,
  hookTimeout: 180_000,
};

const webTests = {
  ...patient,
  environment: "node",
  testTimeout: 90_000,
  // What a test replaces ends with it.
  restoreMocks: true,
  unstubGlobals: true,
};

export default defineConfig({
  test: {
    reporters: ["default"],
    maxWorkers: isOnePlatform ? 1 : 2,
    sequence: { sequencer: LongFirst },
    projects: [
      {
        ...source,
        test: {
          name: "unit",
          include: ["packages/*/src/**/*.test.ts", "scripts/**/*.test.ts"],
          environment: "node",
          // No file leaves a state behind: what they import is loaded once a worker.
          isolate: false,
          // Ends what hangs; a shared processor is no mistake.
          testTimeout: 90_000,
        },
      },
      {
        ...source,
        test: {
          name: "server",
          include: [isMeasuring ? "apps/server/src/**/*.measure.ts" : "apps/server/src/**/*.test.ts"],
          exclude: [alone],
          // Loading the server costs more than most files of tests; each has a database and an app of its own anyway.
          isolate: false,
          // A worker goes on with a file only while the next one is of its project.
          sequence: { groupOrder: 1 },
          // Half of the time they wait for lines, processes and the database.
          maxWorkers: 3,
          ...serverTests,
        },
      },
      {
        ...source,
        test: {
          name: "server-alone",
          include: [`apps/server/src/${alone}`],
          sequence: { groupOrder: 2 },
          ...serverTests,
        },
      },
      {
        ...source,
        test: {
          name: "web",
          include: ["apps/web/*.test.ts", "apps/web/src/**/*.test.{ts,tsx}"],
          exclude: [alone],
          // Loading the app costs more than most files of tests.
          isolate: false,
          ...webTests,
        },
      },
      { ...source, test: { name: "web-alone", include: [`apps/web/src/${alone}`], ...webTests } },
      {
        ...source,
        test: {
          name: "e2e",
          include: ["e2e/**/*.test.ts"],
          environment: "node",
          globalSetup: ["e2e/setup.ts"],
          // Half of the time they wait for pages and the platform.
          ...(isOnePlatform ? {} : { maxWorkers: 3 }),
          // The browser, its pages and what drives it serve all files of a worker.
          isolate: false,
          testTimeout: 300_000,
          hookTimeout: 300_000,
        },
      },
    ],
  },
});

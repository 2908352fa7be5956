import { defineConfig } from "vitest/config";
import { LongFirst } from "./scripts/sequencer.ts";

const source = { resolve: { conditions: ["source"] }, ssr: { resolve: { conditions: ["source"] } } };

/** What takes times is no test: it runs alone, when asked. */
const isMeasuring = process.env["METRUM_TIMING"] === "true";

/** A platform that is given is one, and no two files may share it. */
const isOnePlatform = process.env["METRUM_E2E_PLATFORM"] !== undefined;

/** They replace modules, which takes a process that has not loaded them and loads them for nobody else. */
const alone = "**/*.alone.test.{ts,tsx}";

/** Of projects with properties. */
const withProperties = { setupFiles: ["scripts/chance.ts"] };

/** Against hanging: one second, the default, is short where a processor is shared. */
const patient = { expect: { poll: { timeout: 60_000 } } };

const serverTests = {
  ...patient,
  ...withProperties,
  environment: "node",
  globalSetup: ["scripts/bundle.mjs", "apps/server/src/testing/globalSetup.ts"],
  testTimeout: 180_000,
  hookTimeout: 180_000,
};

const webTests = {
  ...patient,
  ...withProperties,
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
          ...withProperties,
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
          // A third of the time they wait for lines, processes and the database.
          maxWorkers: 4,
          ...serverTests,
        },
      },
      {
        ...source,
        test: {
          name: "server-alone",
          include: [`apps/server/src/${alone}`],
          // Beside those of the server: the longest leaves a processor free.
          sequence: { groupOrder: 1 },
          maxWorkers: 4,
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

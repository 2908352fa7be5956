import { defineConfig } from "vitest/config";

const source = { resolve: { conditions: ["source"] }, ssr: { resolve: { conditions: ["source"] } } };

/** What takes times is no test: it runs alone, when asked. */
const isMeasuring = process.env["METRUM_TIMING"] === "true";

export default defineConfig({
  test: {
    reporters: ["default"],
    // Of the whole run: projects with limits of their own could not run side by side.
    maxWorkers: 2,
    projects: [
      {
        ...source,
        test: {
          name: "unit",
          include: ["packages/*/src/**/*.test.ts", "scripts/**/*.test.ts"],
          environment: "node",
          // Ends what hangs; a shared processor is no mistake.
          testTimeout: 30_000,
        },
      },
      {
        ...source,
        test: {
          name: "server",
          include: [isMeasuring ? "apps/server/src/**/*.measure.ts" : "apps/server/src/**/*.test.ts"],
          environment: "node",
          globalSetup: ["apps/server/src/testing/globalSetup.ts"],
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        ...source,
        test: {
          name: "web",
          include: ["apps/web/src/**/*.test.{ts,tsx}"],
          environment: "node",
          testTimeout: 30_000,
        },
      },
      {
        ...source,
        test: {
          name: "e2e",
          include: ["e2e/**/*.test.ts"],
          environment: "node",
          globalSetup: ["e2e/setup.ts"],
          testTimeout: 120_000,
          hookTimeout: 120_000,
          fileParallelism: false,
        },
      },
    ],
  },
});

// Types, lint, boundaries, format: everything that needs no test to run.
import { execFileSync } from "node:child_process";
import { run } from "./run.mjs";

const leastModules = 60;

function boundaries() {
  const report = JSON.parse(
    execFileSync(
      "npx",
      ["depcruise", "packages", "apps", "--config", ".dependency-cruiser.cjs", "--output-type", "json"],
      { maxBuffer: 256 * 1024 * 1024, stdio: ["ignore", "pipe", "inherit"], encoding: "utf8" },
    ),
  );
  const { totalCruised, violations } = report.summary;
  for (const each of violations)
    console.error(
      `boundary: ${each.rule.name}: ${each.from} -> ${each.to}${each.cycle ? ` (${each.cycle.map((at) => at.name).join(" -> ")})` : ""}`,
    );
  console.log(`boundaries: ${totalCruised} modules, ${violations.length} violations`);
  // With a TypeScript it cannot read, dependency-cruiser finds nothing and reports success.
  return violations.length === 0 && totalCruised >= leastModules ? 0 : 1;
}

const steps = [
  ["types", () => run("npx", ["tsc", "-p", "."])],
  [
    "lint",
    () =>
      run("npx", [
        "eslint",
        ".",
        "--max-warnings",
        "0",
        "--cache",
        "--cache-location",
        "node_modules/.cache/eslint/",
      ]),
  ],
  ["boundaries", boundaries],
  ["format", () => run("npx", ["prettier", "--check", "--log-level", "warn", "."])],
];
let failed = 0;
for (const [name, step] of steps) {
  const started = Date.now();
  const code = await step();
  console.log(
    `${code === 0 ? "ok    " : "FAILED"} ${name} (${((Date.now() - started) / 1000).toFixed(1)} s)`,
  );
  failed += code === 0 ? 0 : 1;
}
process.exit(failed === 0 ? 0 : 1);

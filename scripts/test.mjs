// `npm test`: all checks, from a fresh clone. Every step runs even when an earlier one failed.
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { constants, setPriority, tmpdir } from "node:os";
import { join } from "node:path";
import { checkNode, ensureInstalled, root } from "./install.mjs";
import { ensurePrograms, isProof } from "./programs.mjs";
import { run } from "./run.mjs";

checkNode();
// Both wait for downloads.
await Promise.all([ensureInstalled(), ...(isProof ? [ensurePrograms()] : [])]);
const { buildServer, buildWeb } = await import("./build.mjs");
const { checkSizes } = await import("./sizes.mjs");

/** Lines of each step that runs a program; the last ones name what failed. */
const lines = {};
const shownLines = 40;
const linesOf = (name) => (line) => (lines[name] ??= []).push(line);

const results = mkdtempSync(join(tmpdir(), "metrum-results-"));
const reports = [];

function vitest(name, prefix, projects, env = {}) {
  const report = join(results, `${projects.join("-")}.json`);
  reports.push(report);
  const chosen = projects.flatMap((project) => ["--project", project]);
  const reporters = [
    "--reporter=default",
    `--reporter=${join(root, "scripts/runningReporter.ts")}`,
    "--reporter=json",
    `--outputFile.json=${report}`,
  ];
  const program = join(root, "node_modules/vitest/vitest.mjs");
  const args = [program, "run", ...chosen, ...reporters];
  const onLine = linesOf(name);
  return run(process.execPath, args, { cwd: root, prefix, onLine, env: { ...process.env, ...env } });
}

/** Names the directory of the demonstration once it is created. */
const demonstration = join(results, "demonstration");
const readDemonstration = () =>
  existsSync(demonstration) ? { METRUM_E2E_DEMONSTRATION: readFileSync(demonstration, "utf8") } : {};

/** The browser tests would wait for it. */
function demonstrate(name) {
  const args = ["--conditions=source", "--import", "tsx", join(root, "e2e/demonstration.ts"), demonstration];
  return run(process.execPath, args, { cwd: root, prefix: "demo  | ", onLine: linesOf(name) });
}

/** Works while the tests wait for lines, processes and the database, and does not delay what has a time limit. */
function check(name) {
  const onChild = ({ pid }) => {
    if (pid !== undefined) setPriority(pid, constants.priority.PRIORITY_LOW);
  };
  const args = [join(root, "scripts/check.mjs")];
  return run(process.execPath, args, { cwd: root, prefix: "check | ", onChild, onLine: linesOf(name) });
}

/** What failed steps printed last, once more: the output of a whole run is long. */
function showFailures() {
  for (const name of failed)
    for (const line of lines[name]?.slice(-shownLines) ?? []) console.log(`${name}: ${line}`);
}

/** Counted from the reports, because two runs of vitest each print their own summary. */
function totals() {
  const sum = { passed: 0, failed: 0, skipped: 0 };
  for (const report of reports) {
    // An aborted run has no report; its step has failed.
    if (!existsSync(report)) continue;
    const found = JSON.parse(readFileSync(report, "utf8"));
    const failedSuites = found.testResults.filter(
      (file) => file.status === "failed" && file.assertionResults.length === 0,
    );
    sum.passed += found.numPassedTests;
    sum.failed += found.numFailedTests + failedSuites.length;
    sum.skipped += found.numPendingTests + found.numTodoTests;
  }
  return sum;
}

/**
 * Stages, each of lanes that run concurrently. Tests of the server start its bundle, so it is built before
 * them. Beside other tests the browser tests would be slowed down and exceed their time limits.
 */
const stages = [
  [[["build of the server", () => buildServer().then(() => 0)]]],
  [
    [
      ["build of the web", () => buildWeb().then(() => 0)],
      ["first-load sizes", checkSizes],
      ["demonstration", demonstrate],
    ],
    [
      [
        "unit, server and web tests",
        (name) => vitest(name, "tests | ", ["unit", "server", "server-alone", "web", "web-alone"]),
      ],
    ],
  ],
  [[["end-to-end tests", (name) => vitest(name, "e2e   | ", ["e2e"], readDemonstration())]]],
];
const failed = [];
async function take([name, step]) {
  const started = Date.now();
  const code = await Promise.resolve()
    .then(() => step(name))
    .catch((error) => {
      console.error(error.message);
      return 1;
    });
  const seconds = ((Date.now() - started) / 1000).toFixed(1);
  console.log(`\n${code === 0 ? "ok" : "FAILED"}: ${name} (${seconds} s)\n`);
  if (code !== 0) failed.push(name);
}
const checked = take(["check", check]);
for (const lanes of stages)
  await Promise.all(
    lanes.map(async (steps) => {
      for (const step of steps) await take(step);
    }),
  );
await checked;

showFailures();
const tests = totals();
for (const created of Object.values(readDemonstration())) rmSync(created, { recursive: true, force: true });
rmSync(results, { recursive: true, force: true });
// Where everything must hold, skipped tests are failures.
if (isProof && tests.skipped > 0) failed.push(`${tests.skipped} skipped tests`);
if (failed.length > 0) console.log(`failed steps: ${failed.join(", ")}`);
const skipped = tests.skipped > 0 ? `, ${tests.skipped} skipped` : "";
console.log(`${tests.passed} passed, ${tests.failed} failed${skipped}`);
process.exit(failed.length === 0 && tests.failed === 0 ? 0 : 1);

// Types, lint, boundaries, format, subjects of commits: all checks without running tests.
import { execFileSync, spawnSync } from "node:child_process";
import { join } from "node:path";
import { root } from "./install.mjs";
import { run } from "./run.mjs";

const leastModules = 60;
/**
 * The order of the wings bounds what they import of each other; within it a domain leans on three others, as the average
 * of all. More, and who changes a domain no longer knows what stands on it.
 */
const mostArrowsOfDomain = 3;

/** The domain of a file of the server: a folder of a wing. */
const domainOf = (path) =>
  /^apps\/server\/src\/((?:access|metering|headend|accounting|insight|platform)\/[^/]+)\//.exec(path)?.[1];

/** Which domain imports which, types included, tests not. */
function arrowsBetweenDomains(modules) {
  const arrows = new Set();
  for (const { source, dependencies } of modules.filter((each) => !each.source.endsWith(".test.ts")))
    for (const { resolved } of dependencies) {
      const [from, to] = [domainOf(source), domainOf(resolved)];
      if (from && to && from !== to) arrows.add(`${from} -> ${to}`);
    }
  return [...arrows].sort();
}

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
  const arrows = arrowsBetweenDomains(report.modules);
  const domains = new Set(report.modules.flatMap(({ source }) => domainOf(source) ?? []));
  const mostArrows = mostArrowsOfDomain * domains.size;
  console.log(
    `boundaries: ${totalCruised} modules, ${violations.length} violations, ${arrows.length} of at most ${mostArrows} arrows between ${domains.size} domains`,
  );
  if (arrows.length > mostArrows) console.error(arrows.join("\n"));
  // With an unsupported TypeScript, dependency-cruiser finds no modules and reports success.
  return violations.length === 0 && arrows.length <= mostArrows && totalCruised >= leastModules ? 0 : 1;
}

/** The commit after which every subject fits a line; a copy without history has nothing to check. */
const firstLandedAt = "a4abd68";
const longestSubject = 72;

function subjects() {
  const log = spawnSync("git", ["log", "--format=%h %s", `${firstLandedAt}..HEAD`], { encoding: "utf8" });
  if (log.status !== 0) return 0;
  const lines = log.stdout.split("\n").filter((line) => line !== "");
  const tooLong = lines.filter((line) => line.slice(line.indexOf(" ") + 1).length > longestSubject);
  for (const line of tooLong) console.error(`over ${longestSubject} characters: ${line}`);
  return tooLong.length === 0 ? 0 : 1;
}

/**
 * The native compiler takes an eighth of what TypeScript 6 takes, which stays for the tools that need its API. One checker,
 * because each further one reads the libraries again; memory is freed rarely, because the program ends soon.
 */
function types() {
  const compiler = join(root, "node_modules/@typescript/native/bin/tsc");
  const env = { ...process.env, GOGC: "400" };
  return run(process.execPath, [compiler, "-p", root, "--checkers", "1"], { env });
}

const steps = [
  ["types", types],
  ["lint", () => run("npx", ["oxlint", "--deny-warnings"], { env: { ...process.env, GOGC: "400" } })],
  ["boundaries", boundaries],
  ["subjects of commits", subjects],
  ["format", () => run("npx", ["oxfmt", "--check", "."])],
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

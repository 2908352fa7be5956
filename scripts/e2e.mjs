// `npm run e2e [-- FILTER]`: the browser tests alone, on a build of the present sources.
import { join } from "node:path";
import { checkNode, ensureInstalled, root } from "./install.mjs";
import { run } from "./run.mjs";

checkNode();
await ensureInstalled();
const { buildServer, buildWeb } = await import("./build.mjs");
await Promise.all([buildWeb(), buildServer()]);
const vitest = join(root, "node_modules/vitest/vitest.mjs");
const args = [vitest, "run", "--project", "e2e", ...process.argv.slice(2)];
process.exit(await run(process.execPath, args, { cwd: root }));

// `npm run dev`: the API restarts when its sources change, the web app reloads hot. Vite passes API calls on.
import { spawn } from "node:child_process";
import { join } from "node:path";
import { checkNode, ensureInstalled, root } from "./install.mjs";

checkNode();
await ensureInstalled();

const tsx = join(root, "node_modules/tsx/dist/cli.mjs");
const vite = join(root, "node_modules/vite/bin/vite.js");
const programs = [
  [root, [tsx, "watch", "--clear-screen=false", "--conditions=source", "apps/server/src/main.ts"]],
  [join(root, "apps/web"), [vite]],
];
const children = programs.map(([cwd, args]) => spawn(process.execPath, args, { cwd, stdio: "inherit" }));

let isEnding = false;
function end(code) {
  if (isEnding) return;
  isEnding = true;
  process.exitCode = code;
  for (const child of children) child.kill("SIGTERM");
}
for (const child of children) child.on("exit", (code) => end(code ?? 0));
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => end(0));

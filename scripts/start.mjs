// `npm start`: from a fresh clone to a running Metrum. The server runs in this same process, so there is no
// intermediate process that could die alone or swallow a signal.
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { checkNode, ensureInstalled, root } from "./install.mjs";

checkNode();
// Relative settings (./data) refer to the repository, wherever npm was called.
process.chdir(root);
process.env.METRUM_DEMO ||= "true";
process.env.NODE_ENV ||= "production";

const children = new Set();
const watchChild = (child) => {
  children.add(child);
  child.on("exit", () => children.delete(child));
};
// While packages are installed and built a signal ends those programs; afterwards the server handles it.
const interrupt = (signal) => {
  for (const child of children) child.kill(signal);
  process.exit(130);
};
process.on("SIGINT", interrupt).on("SIGTERM", interrupt).on("SIGHUP", interrupt);

await ensureInstalled(watchChild);
const { buildServer, buildWeb, serverBundle } = await import("./build.mjs");
try {
  await Promise.all([buildWeb(watchChild), buildServer()]);
} catch (error) {
  for (const child of children) child.kill();
  console.error(`Metrum could not be built: ${error.message}`);
  process.exit(1);
}

process.off("SIGINT", interrupt).off("SIGTERM", interrupt).off("SIGHUP", interrupt);
process.setSourceMapsEnabled(true);
process.argv[1] = join(root, "apps/server/dist/main.js");
await import(pathToFileURL(serverBundle).href);

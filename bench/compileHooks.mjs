import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { transform } from "esbuild";

/** Module hook of Node: TypeScript becomes JavaScript of the product's target. */
export async function load(url, context, nextLoad) {
  if (!url.startsWith("file:") || !url.endsWith(".ts")) return nextLoad(url, context);
  const sourcefile = fileURLToPath(url);
  const options = { loader: "ts", target: "node20", format: "esm", sourcemap: "inline", sourcefile };
  const { code } = await transform(await readFile(sourcefile, "utf8"), options);
  return { format: "module", source: code, shortCircuit: true };
}

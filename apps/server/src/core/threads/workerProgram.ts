import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** Entry point of a thread: a file, or code that loads one. */
export interface WorkerProgram {
  readonly text: string;
  readonly isCode: boolean;
  /** Node's own arguments: from source, workspace packages are resolved by a condition. */
  readonly execArgv: string[];
}

/**
 * Entry point of the worker `name` next to the module at `base` (its `import.meta.url`). In production it is
 * the bundle next to the server's own, elsewhere its source, read by tsx.
 */
export function workerProgram(name: string, base: string): WorkerProgram {
  const bundled = fileURLToPath(new URL(`./${name}.js`, base));
  if (existsSync(bundled)) return { text: bundled, isCode: false, execArgv: [] };
  const source = JSON.stringify(new URL(`./${name}.ts`, base).href);
  const text = `import("tsx/esm/api").then(({ register }) => { register(); return import(${source}); })`;
  return { text, isCode: true, execArgv: ["--conditions=source"] };
}

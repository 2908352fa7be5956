import { spawn } from "node:child_process";
import { createInterface } from "node:readline";

/**
 * Runs a program with its output shown; resolves with the exit code. `onChild` sees the process, to end it early.
 * With a `prefix` whole lines are shown behind it, so that programs side by side do not write into each other.
 */
export function run(command, args, { onChild, prefix, ...options } = {}) {
  return new Promise((resolve, reject) => {
    const stdio = prefix === undefined ? "inherit" : ["ignore", "pipe", "pipe"];
    const child = spawn(command, args, { stdio, ...options });
    onChild?.(child);
    if (prefix !== undefined)
      for (const stream of [child.stdout, child.stderr])
        createInterface({ input: stream }).on("line", (line) => console.log(`${prefix}${line}`));
    child.on("error", reject);
    child.on("close", (code, signal) => resolve(signal ? 1 : (code ?? 1)));
  });
}

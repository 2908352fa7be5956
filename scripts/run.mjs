import { spawn } from "node:child_process";
import { createInterface } from "node:readline";

/**
 * Runs a program with its output shown; resolves with the exit code. `onChild` gets the process, to end it
 * early. With a `prefix` output is line-buffered and prefixed, so that concurrent programs do not mix their
 * lines; `onLine` gets each line.
 */
export function run(command, args, { onChild, onLine, prefix, ...options } = {}) {
  return new Promise((resolve, reject) => {
    const stdio = prefix === undefined ? "inherit" : ["ignore", "pipe", "pipe"];
    const child = spawn(command, args, { stdio, ...options });
    onChild?.(child);
    if (prefix !== undefined)
      for (const stream of [child.stdout, child.stderr])
        createInterface({ input: stream }).on("line", (line) => {
          onLine?.(line);
          console.log(`${prefix}${line}`);
        });
    child.on("error", reject);
    child.on("close", (code, signal) => resolve(signal ? 1 : (code ?? 1)));
  });
}

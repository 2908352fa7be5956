import { spawn } from "node:child_process";

/** Runs a program with its output shown; resolves with the exit code. `onChild` sees the process, to end it early. */
export function run(command, args, { onChild, ...options } = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { stdio: "inherit", ...options });
    onChild?.(child);
    child.on("error", reject);
    child.on("exit", (code, signal) => resolve(signal ? 1 : (code ?? 1)));
  });
}

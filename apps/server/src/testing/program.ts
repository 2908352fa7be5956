import { spawnSync } from "node:child_process";
import { join } from "node:path";

const server = join(import.meta.dirname, "../..");
const built = join(server, "dist");

/**
 * Arguments of Node for a program of the server: its bundle, which the global set-up has built from the
 * present sources. Running from source would transform hundreds of modules at every start.
 */
export const programOf = (name: "main" | "cli", ...args: readonly string[]): string[] => [
  join(built, `${name}.js`),
  ...args,
];

interface Ended {
  /** Null where it did not end. */
  readonly status: number | null;
  readonly out: string;
  readonly err: string;
}

/** No time limit of a test ends what blocks its thread. */
const patienceMs = 170_000;

/** Runs a command of the server to its end, with the variables of the test unless others are given. */
export function runCommand(
  args: readonly string[],
  { env, input }: { readonly env?: NodeJS.ProcessEnv; readonly input?: string } = {},
): Ended {
  const { status, stdout, stderr } = spawnSync(process.execPath, programOf("cli", ...args), {
    cwd: server,
    encoding: "utf8",
    ...(env ? { env } : {}),
    timeout: patienceMs,
    killSignal: "SIGKILL",
    ...(input === undefined ? {} : { input }),
  });
  return { status, out: stdout, err: stderr };
}

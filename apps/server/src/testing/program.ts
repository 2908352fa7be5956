import { join } from "node:path";

const built = join(import.meta.dirname, "../../dist");

/**
 * Arguments of Node for a program of the server: its bundle, which the global set-up has built from the
 * present sources. Running from source would transform hundreds of modules at every start.
 */
export const programOf = (name: "main" | "cli", ...args: readonly string[]): string[] => [
  join(built, `${name}.js`),
  ...args,
];

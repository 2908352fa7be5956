import { join } from "node:path";

const built = join(import.meta.dirname, "../../dist");

/**
 * Arguments of Node for a program of the server: its bundle, which the global set-up has built from the sources as they are. From
 * source every start would transform hundreds of modules.
 */
export const programOf = (name: "main" | "cli", ...args: readonly string[]): string[] => [
  join(built, `${name}.js`),
  ...args,
];

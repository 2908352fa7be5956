import { commands } from "./cli/commands.ts";
import { UsageError } from "./cli/usage.ts";

const [name = "help", ...args] = process.argv.slice(2);
const usage = Object.entries(commands)
  .map(([command, { takes, does }]) => `  ${`${command} ${takes}`.trim().padEnd(42)} ${does}`)
  .join("\n");

/** Exit codes: 0 success, 1 failure or findings of the command, 2 wrong usage. */
async function run(): Promise<number> {
  if (["help", "--help", "-h"].includes(name)) {
    console.log(`npm run --silent metrum -- COMMAND\n\n${usage}`);
    return 0;
  }
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (!command) throw new UsageError(`There is no command "${name}". Commands:\n${usage}`);
  const { main } = await command.load();
  return main(args);
}

try {
  process.exitCode = await run();
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  for (let cause = causeOf(error); cause; cause = causeOf(cause))
    console.error(`  because: ${cause.message}`);
  process.exitCode = isMisuse(error) ? 2 : 1;
}

// What a command has left open, as after a failure, must not keep its caller waiting.
setTimeout(() => process.exit(), 5_000).unref();

function causeOf(error: unknown): Error | undefined {
  return error instanceof Error && error.cause instanceof Error ? error.cause : undefined;
}

/** An error of usage: of a command, or of `parseArgs` for unknown options. */
function isMisuse(error: unknown): boolean {
  if (error instanceof UsageError) return true;
  return error instanceof TypeError && "code" in error && String(error.code).startsWith("ERR_PARSE_ARGS");
}

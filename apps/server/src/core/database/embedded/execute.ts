import { type ChildProcess, type SpawnOptions, spawn } from "node:child_process";
import type { Account } from "./account.ts";

/** Starts a program as `account`, in a directory and with an environment that any account can use. */
export function start(
  account: Account,
  file: string,
  args: readonly string[],
  options: SpawnOptions,
): ChildProcess {
  const common = { cwd: "/", env: { PATH: "/usr/local/sbin:/usr/sbin:/usr/bin:/sbin:/bin", LC_ALL: "C" } };
  switch (account.kind) {
    case "self":
      return spawn(file, args, { ...common, ...options });
    case "user":
      return spawn(file, args, { ...common, ...options, uid: account.uid, gid: account.gid });
    case "namespace": {
      const mapped = ["-U", "--map-user=65534", "--map-group=65534", "--", file, ...args];
      return spawn("unshare", mapped, { ...common, ...options });
    }
  }
}

/** Runs a program to its end. A program that cannot be started is reported as exit code 127. */
export function execute(
  account: Account,
  file: string,
  args: readonly string[],
  input = "",
): Promise<{ code: number; text: string }> {
  return new Promise((resolve) => {
    let text = "";
    const fail = (error: Error): void => resolve({ code: 127, text: error.message });
    try {
      const child = start(account, file, args, { stdio: "pipe" });
      child.on("error", fail);
      child.stdin?.on("error", () => undefined).end(input);
      child.stdout?.on("data", (part: Buffer) => (text += part.toString()));
      child.stderr?.on("data", (part: Buffer) => (text += part.toString()));
      child.on("close", (code) => resolve({ code: code ?? 1, text }));
    } catch (error) {
      fail(error instanceof Error ? error : new Error(String(error)));
    }
  });
}

export async function succeeds(account: Account, file: string, args: readonly string[]): Promise<boolean> {
  return (await execute(account, file, args)).code === 0;
}

/** Standard output of a program, trimmed; undefined when it fails. */
export async function output(file: string, args: readonly string[]): Promise<string | undefined> {
  const { code, text } = await execute({ kind: "self" }, file, args);
  return code === 0 ? text.trim() : undefined;
}

import { spawn, type ChildProcess } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const socat = "/usr/bin/socat";

/** Whether the Debian package `socat` is installed, and pseudo terminals can be created. */
export const hasSocat = existsSync(socat) && existsSync("/dev/ptmx");

/** Two connected serial ports: bytes written to one are read from the other. */
export interface PortPair {
  /** The port that the server opens. */
  readonly ours: string;
  /** The port of the device. */
  readonly theirs: string;
  /** Plugs the adapter in; resolves when both ports exist. */
  readonly plugIn: () => Promise<void>;
  /** Unplugs it. */
  readonly pullOut: () => Promise<void>;
  readonly remove: () => Promise<void>;
}

/** Two pseudo terminals, plugged in. Needs `hasSocat`. */
export async function portPair(): Promise<PortPair> {
  const folder = mkdtempSync(join(tmpdir(), "metrum-pty-"));
  const [ours, theirs] = [join(folder, "ours"), join(folder, "theirs")];
  let joined: ChildProcess | undefined;
  const plugIn = async (): Promise<void> => {
    joined = spawn(socat, [`pty,raw,echo=0,link=${ours}`, `pty,raw,echo=0,link=${theirs}`]);
    await until(() => existsSync(ours) && existsSync(theirs));
  };
  const pullOut = async (): Promise<void> => {
    await ended(joined);
    joined = undefined;
  };
  await plugIn();
  return {
    ours,
    theirs,
    plugIn,
    pullOut,
    async remove() {
      await pullOut();
      rmSync(folder, { recursive: true });
    },
  };
}

/** Connects a port to a TCP server, as a converter would. Returns the function that ends it. */
export function joinToTcp(path: string, port: number): () => Promise<void> {
  const joined = spawn(socat, [`${path},raw,echo=0`, `tcp:127.0.0.1:${String(port)}`]);
  return () => ended(joined);
}

async function ended(program: ChildProcess | undefined): Promise<void> {
  if (!program || program.exitCode !== null || program.signalCode !== null) return;
  const gone = new Promise((resolve) => program.once("exit", resolve));
  program.kill();
  await gone;
}

async function until(isMet: () => boolean): Promise<void> {
  for (const end = Date.now() + 30_000; !isMet();) {
    if (Date.now() > end) throw new Error("the pseudo terminals did not appear in time");
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

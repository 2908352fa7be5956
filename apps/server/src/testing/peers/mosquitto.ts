import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { connect, createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";

const mosquitto = "/usr/sbin/mosquitto";
const mostWritten = 2_000;

/** Whether the Debian package `mosquitto` is installed. */
export const hasMosquitto = existsSync(mosquitto);

export interface Mosquitto {
  readonly url: string;
  readonly close: () => Promise<void>;
}

/**
 * A real mosquitto broker on a free port with a temporary folder; `more` are further lines of its settings. Errors:
 * Error with what mosquitto has written.
 */
export async function openMosquitto(more: readonly string[] = []): Promise<Mosquitto> {
  const folder = await mkdtemp(join(tmpdir(), "metrum-mosquitto-"));
  const port = await freePort();
  const settings = join(folder, "mosquitto.conf");
  const own = [`listener ${String(port)} 127.0.0.1`, "allow_anonymous true", "persistence false"];
  await writeFile(settings, `${[...own, ...more].join("\n")}\n`);
  const server = spawn(mosquitto, ["-c", settings], { stdio: ["ignore", "ignore", "pipe"] });
  const ended = new Promise((resolve) => server.once("exit", resolve));
  let written = "";
  server.stderr.on("data", (bytes: Buffer) => (written = (written + bytes.toString()).slice(-mostWritten)));
  if (!(await isOpenBefore(port, ended))) throw new Error(`mosquitto has not started: ${written}`);
  return {
    url: `mqtt://127.0.0.1:${String(port)}`,
    async close() {
      server.kill("SIGTERM");
      await ended;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function freePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((resolve) => probe.listen(0, "127.0.0.1", resolve));
  const { port } = probe.address() as AddressInfo;
  await new Promise((resolve) => probe.close(resolve));
  return port;
}

/** Whether the port opens before the program ends. */
async function isOpenBefore(port: number, ended: Promise<unknown>): Promise<boolean> {
  for (let hasEnded = false; !hasEnded;) {
    const isOpen = await new Promise<boolean>((resolve) => {
      const socket = connect(port, "127.0.0.1", () => socket.end(() => resolve(true)));
      socket.on("error", () => resolve(false));
    });
    if (isOpen) return true;
    hasEnded = await Promise.race([ended.then(() => true), pause(50, false)]);
  }
  return false;
}

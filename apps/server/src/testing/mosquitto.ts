import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { connect, createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";

const mosquitto = "/usr/sbin/mosquitto";

/** Whether the Debian package `mosquitto` is installed. */
export const hasMosquitto = existsSync(mosquitto);

export interface Mosquitto {
  readonly url: string;
  readonly close: () => Promise<void>;
}

/** A real mosquitto broker on a free port with a temporary folder. */
export async function openMosquitto(): Promise<Mosquitto> {
  const folder = await mkdtemp(join(tmpdir(), "metrum-mosquitto-"));
  const port = await freePort();
  const settings = join(folder, "mosquitto.conf");
  await writeFile(settings, `listener ${String(port)} 127.0.0.1\nallow_anonymous true\npersistence false\n`);
  const server = spawn(mosquitto, ["-c", settings], { stdio: "ignore" });
  const ended = new Promise((resolve) => server.once("exit", resolve));
  await untilOpen(port);
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

async function untilOpen(port: number): Promise<void> {
  for (let left = 200; left > 0; left -= 1) {
    const isOpen = await new Promise<boolean>((resolve) => {
      const socket = connect(port, "127.0.0.1", () => socket.end(() => resolve(true)));
      socket.on("error", () => resolve(false));
    });
    if (isOpen) return;
    await pause(50);
  }
  throw new Error("mosquitto has not started");
}

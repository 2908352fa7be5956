import { rm } from "node:fs/promises";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { createDemonstration, type Platform, type RunningPlatform, startPlatform } from "./platform.ts";

export interface Platforms {
  /** Answers `GET /N` with the platform of worker N. */
  readonly desk: string;
  readonly stop: () => Promise<void>;
}

/**
 * A platform for each worker, started when its first file requests it from a copy of one demonstration:
 * concurrent files never share one, and a run of one file starts one. All workers get `given` if it is set.
 * `created` is the directory of a demonstration that exists already, and stays.
 */
export async function openPlatforms(given?: Platform, created?: string): Promise<Platforms> {
  const starting = new Map<string, Promise<Platform>>();
  const running: RunningPlatform[] = [];
  let demonstration: Promise<string> | undefined;
  const start = async () => {
    if (created === undefined) demonstration ??= createDemonstration();
    const platform = await startPlatform(created ?? (await demonstration));
    running.push(platform);
    const { address, parkPid, dataDir, deviceHost } = platform;
    return { address, parkPid, dataDir, deviceHost };
  };
  const desk = createServer((request, response) => {
    const worker = request.url ?? "";
    const platform = starting.get(worker) ?? (given ? Promise.resolve(given) : start());
    starting.set(worker, platform);
    void answer(response, platform);
  });
  await new Promise<void>((resolve) => desk.listen(0, "127.0.0.1", resolve));
  const { port } = desk.address() as AddressInfo;
  return {
    desk: `http://127.0.0.1:${String(port)}`,
    async stop() {
      desk.close();
      await Promise.all(running.map((each) => each.stop()));
      const dataDir = await demonstration?.catch(() => undefined);
      if (dataDir !== undefined) await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** The platform of this worker. Errors: it did not start; its output is in the message. */
export async function platformOf(desk: string): Promise<Platform> {
  const response = await fetch(`${desk}/${process.env["VITEST_POOL_ID"] ?? ""}`);
  if (!response.ok) throw new Error(await response.text());
  return (await response.json()) as Platform;
}

async function answer(response: ServerResponse, platform: Promise<Platform>): Promise<void> {
  try {
    const found = await platform;
    response.end(JSON.stringify(found));
  } catch (error) {
    response.writeHead(500).end(error instanceof Error ? error.message : String(error));
  }
}

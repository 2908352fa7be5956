import type { TestProject } from "vitest/node";
import { type Platform, startPlatform } from "./platform.ts";

declare module "vitest" {
  interface ProvidedContext {
    platform: Platform;
  }
}

/**
 * One platform a run. `METRUM_E2E_PLATFORM="http://127.0.0.1:8080 4711 ./data"` (address, process of the meters, data
 * directory) takes one that runs already, for those who write tests.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const [address, parkPid, dataDir = "./data"] = process.env["METRUM_E2E_PLATFORM"]?.split(" ") ?? [];
  if (address !== undefined && parkPid !== undefined) {
    project.provide("platform", { address, parkPid: Number(parkPid), dataDir });
    return () => Promise.resolve();
  }
  const platform = await startPlatform();
  const end = () => void platform.stop();
  process.once("exit", end);
  project.provide("platform", {
    address: platform.address,
    parkPid: platform.parkPid,
    dataDir: platform.dataDir,
  });
  return async () => {
    process.off("exit", end);
    await platform.stop();
  };
}

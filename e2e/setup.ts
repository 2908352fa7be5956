import type { TestProject } from "vitest/node";
import { nameOfBrowser } from "./browser.ts";
import { openPlatforms } from "./platforms.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** URL from which a worker requests its platform. */
    desk: string;
  }
}

/**
 * Platforms for the run, from the demonstration in the directory `METRUM_E2E_DEMONSTRATION` if there is one. `METRUM_E2E_PLATFORM="http://127.0.0.1:8080 4711 ./data"` (address, pid of the
 * meters, data directory, and if it is not 127.0.0.1 the address of the device ports) uses a running one, for
 * writing tests.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  process.stdout.write(`browser: ${await nameOfBrowser()}\n`);
  const [address, parkPid, dataDir = "./data", deviceHost = "127.0.0.1"] =
    process.env["METRUM_E2E_PLATFORM"]?.split(" ") ?? [];
  const given =
    address === undefined || parkPid === undefined
      ? undefined
      : { address, parkPid: Number(parkPid), dataDir, deviceHost };
  const { desk, stop } = await openPlatforms(given, process.env["METRUM_E2E_DEMONSTRATION"]);
  const end = () => void stop();
  process.once("exit", end);
  project.provide("desk", desk);
  return async () => {
    process.off("exit", end);
    await stop();
  };
}

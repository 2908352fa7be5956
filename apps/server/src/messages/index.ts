import type { Domain } from "#core";
import { serveReadings } from "./calls.ts";
import { startDeriving } from "./deriveJob.ts";
import { recallHeard } from "./heard.ts";

export { ingest } from "./ingest.ts";
export { hourlyCompleteness, latestReadings, type LatestReading } from "./listing.ts";
export type { Incoming, Ingested } from "./types.ts";

export const messages: Domain = {
  name: "messages",
  calls: serveReadings,
  worker: async (services) => {
    await recallHeard(services.database.pool);
    return startDeriving(services);
  },
};

export { ingest } from "./ingest.ts";
export { hourlyCompleteness, latestReadings, type LatestReading } from "./listing.ts";
export type { Incoming, Ingested } from "./types.ts";

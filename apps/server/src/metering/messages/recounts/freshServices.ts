import type { Services } from "#core";
import { createMetadataCache } from "../ingest/index.ts";

/** The same services without what they have cached of devices, whose models and zones may have changed since. */
export function freshServices(services: Services): Services {
  const { parts, database, clock } = services;
  const metadata = createMetadataCache(database.pool, clock);
  return { ...services, parts: { ...parts, readingStore: { ...parts.readingStore, metadata } } };
}

export type { Outcome } from "./conflicts.ts";
export { ingest, ingestEach, openReadingStore } from "./ingest.ts";
export { createMetadataCache, type MetadataCache } from "./metadataCache.ts";
export type { Span } from "./prepare.ts";

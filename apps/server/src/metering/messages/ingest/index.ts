export type { Outcome } from "./conflicts.ts";
export { ingest, ingestEach, openReadingStore } from "./ingest.ts";
export { type MetadataCache, createMetadataCache } from "./metadataCache.ts";
export type { Span } from "./prepare.ts";

export { startEmbedded, type EmbeddedDatabase, type EmbeddedOptions } from "./supervisor.ts";
export type { Connection } from "./cluster.ts";
export { ordinaryUser, type Needs } from "./ordinaryUser.ts";

import type { Domain } from "#core";
import { serveCodecs } from "./calls.ts";
import { createCodecs, stopPool } from "./pools.ts";

export { createCodecs };
export { activeCodec } from "./active.ts";
export { noteCodecFailure } from "./failures.ts";
export { answerOf, decodeWith } from "./decode.ts";
export { CodecPool } from "./sandbox/pool.ts";
export type { ActiveCodec } from "./store.ts";

/** Payload codecs written by companies, and the interpreter that runs them. */
export const codecs: Domain = {
  name: "codecs",
  calls: serveCodecs,
  api: stopPool,
  broker: stopPool,
};

import type { Services, Stop } from "#core";
import { CodecPool } from "./sandbox/pool.ts";
import type { ActiveCodec } from "./store.ts";
import type { CodecId } from "./tables.ts";

/** The active codecs of a company, by model. */
interface ActiveCodecs {
  readonly untilMs: number;
  readonly byModel: Promise<ReadonlyMap<number, ActiveCodec>>;
}

/** Codec state of this process. */
export interface Codecs {
  /** The workers that run codecs, started with the first call. */
  readonly pool: CodecPool;
  /** By company. */
  readonly active: Map<number, ActiveCodecs>;
  /** When the last failure of a codec was recorded, by the monotonic clock. */
  readonly failedMs: Map<CodecId, number>;
}

declare module "#core" {
  interface Parts {
    readonly codecs: Codecs;
  }
}

export const createCodecs = (): Codecs => ({ pool: new CodecPool(), active: new Map(), failedMs: new Map() });

/** Ends the workers; waiting payloads fail, and can be re-decoded from the log. */
export const stopPool =
  ({ parts }: Services): Stop =>
  () =>
    parts.codecs.pool.close();

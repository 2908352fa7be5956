import type { Services, Stop } from "#core";
import { CodecPool } from "./sandbox/pool.ts";
import type { ActiveCodec } from "./store.ts";
import type { CodecId } from "./tables.ts";

/** The active codecs of a company, by model. */
interface ActiveCodecs {
  readonly untilMs: number;
  readonly byModel: Promise<ReadonlyMap<number, ActiveCodec>>;
}

/** What this process keeps of codecs. */
export interface Codecs {
  /** The workers that run codecs; none is started before the first codec is called. */
  readonly pool: CodecPool;
  /** By company. */
  readonly active: Map<number, ActiveCodecs>;
  /** When the last failure of a codec was noted, by the clock that only grows. */
  readonly failedMs: Map<CodecId, number>;
}

declare module "#core" {
  interface Parts {
    readonly codecs: Codecs;
  }
}

export const createCodecs = (): Codecs => ({ pool: new CodecPool(), active: new Map(), failedMs: new Map() });

/** Ends the workers; payloads that wait fail and rest in the log, from where they can be decoded again. */
export const stopPool =
  ({ parts }: Services): Stop =>
  () =>
    parts.codecs.pool.close();

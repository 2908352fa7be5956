/** The callable functions of a codec, by the convention of The Things Stack and ChirpStack v4. */
export type CodecCall = "decodeUplink" | "encodeDownlink" | "decodeDownlink";

/** Input of a codec. JSON values only: no host objects enter the interpreter. */
export interface CodecInput {
  readonly call: CodecCall;
  readonly bytes: readonly number[];
  readonly fPort: number;
  /** Milliseconds since 1970; also the only time that the codec's clock shows. */
  readonly recvTimeMs: number;
  readonly variables?: Readonly<Record<string, string>>;
  /** Input of `encodeDownlink`. */
  readonly data?: unknown;
  /** Only checks that the codec loads and has the function, which is not called. */
  readonly isLookedFor?: boolean;
}

/** One call for the interpreter. */
export interface Order extends CodecInput {
  readonly source: string;
}

/** Why a codec gave no answer. `busy`: not attempted, because its queue is full or it is suspended. */
export type CodecFailure = "time" | "memory" | "error" | "busy";

/** Outcome of one call: the answer as JSON text, not parsed yet, or why there is none. */
export type Outcome =
  | { readonly kind: "answer"; readonly text: string; readonly durationMs: number }
  | {
      readonly kind: "failed";
      readonly failure: CodecFailure;
      readonly message: string;
      readonly durationMs: number;
    };

export const limits = {
  /** Computing time of one call. */
  computeMs: 50,
  /**
   * The worker is terminated when its thread has computed this long: native loops (filling an array) do not
   * check the other limit. Time given to other processes does not count, up to the last limit, which only a
   * hung worker reaches.
   */
  threadMs: 250,
  longestWallMs: 10_000,
  memoryBytes: 16 * 1024 * 1024,
  stackBytes: 256 * 1024,
  /** Characters of the answer and of a message. */
  answerLength: 64 * 1024,
  messageLength: 500,
  sourceLength: 256 * 1024,
} as const;

/** The functions of a codec that can be called, by the convention of The Things Stack and ChirpStack v4. */
export type CodecCall = "decodeUplink" | "encodeDownlink" | "decodeDownlink";

/** What a codec is called with. JSON values only: nothing of the host goes into the interpreter. */
export interface CodecInput {
  readonly call: CodecCall;
  readonly bytes: readonly number[];
  readonly fPort: number;
  /** Milliseconds since 1970; it is also the only moment that the codec can see on a clock. */
  readonly recvTimeMs: number;
  readonly variables?: Readonly<Record<string, string>>;
  /** What `encodeDownlink` is to turn into bytes. */
  readonly data?: unknown;
  /** Only looks whether the codec loads and has the function, which is not called. */
  readonly isLookedFor?: boolean;
}

/** One call for the interpreter. */
export interface Order extends CodecInput {
  readonly source: string;
}

/** Why a codec gave nothing. `busy`: it was not even tried, for its queue is full or it has overrun too often. */
export type CodecFailure = "time" | "memory" | "error" | "busy";

/** What became of one call: the answer as JSON text, which nobody has looked into yet, or why there is none. */
export type Outcome =
  | { readonly kind: "answer"; readonly text: string; readonly durationMs: number }
  | {
      readonly kind: "failed";
      readonly failure: CodecFailure;
      readonly message: string;
      readonly durationMs: number;
    };

export const limits = {
  /** Time that one call may compute. */
  computeMs: 50,
  /**
   * When its thread has computed so long the whole worker is ended: native loops (filling an array) do not look at the other limit.
   * Time that the machine gave to others does not count, up to the last limit, which only a hung worker reaches.
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

import { maskByte, ProtocolError, type Step, toHex } from "@metrum/protocols/core";
import type { ReadStep } from "@metrum/vocabulary";
import { LineLost } from "#headend/channels";
import type { Clock } from "#core";

/**
 * An attempt as stored in the exchange log: bytes in hexadecimal, times in milliseconds since the start of
 * the exchange.
 */
export interface LoggedStep {
  /** What was done: a code with its arguments; text where an older release has stored it. */
  readonly label: ReadStep;
  readonly try: number;
  readonly tries: number;
  readonly at: number;
  readonly answered: number | null;
  readonly ended: number;
  readonly sent: string;
  readonly received: string;
  /** fPort of an uplink, on which the meaning of the payload depends. */
  readonly fport?: number | undefined;
  /**
   * For an uplink: time of reception by the network, epoch seconds, if given; and the codec of the company
   * that decoded it.
   */
  readonly heardAt?: number | undefined;
  readonly codec?: number | undefined;
  readonly error?:
    | { readonly kind: string; readonly message: string; readonly offset?: number | undefined }
    | undefined;
}

/** Limit of bytes stored per exchange; the rest is omitted, and the step says so. */
const maxKeptBytes = 64 * 1024;

/** Records the dialogue on the line during one poll. */
export interface Exchange {
  begin(
    step: Step,
    attempt: number,
  ): { answered: () => void; end: (received: Uint8Array, error?: unknown) => void };
  steps(): readonly LoggedStep[];
  /** Attempts beyond the first of each step. */
  retries(): number;
}

/**
 * `secrets`: byte strings that must not be stored (passwords, keys); each of their bytes is replaced by 2A.
 */
export function recordExchange(clock: Clock, secrets: readonly Uint8Array[] = []): Exchange {
  const startMs = clock.monotonicMs();
  const steps: LoggedStep[] = [];
  let kept = 0;
  let retries = 0;
  const since = (): number => Math.round(clock.monotonicMs() - startMs);
  const keep = (bytes: Uint8Array): string => {
    const room = Math.max(0, maxKeptBytes - kept);
    kept += Math.min(room, bytes.length);
    return toHex(maskSecrets(bytes, secrets).subarray(0, room));
  };
  return {
    begin(step, attempt) {
      const at = since();
      if (attempt > 1) retries += 1;
      let answered: number | null = null;
      return {
        answered: () => (answered ??= since()),
        end(received, error) {
          steps.push({
            label: step.label,
            try: attempt,
            tries: step.tries,
            at,
            answered,
            ended: since(),
            sent: keep(step.send),
            received: keep(received),
            ...(error === undefined ? {} : { error: describe(error) }),
          });
        },
      };
    },
    steps: () => steps,
    retries: () => retries,
  };
}

/**
 * Error text shown to users of the device. The text of an undeclared exception may name hosts, files or SQL,
 * and stays in the server's log.
 */
function describe(error: unknown): NonNullable<LoggedStep["error"]> {
  if (error instanceof ProtocolError)
    return {
      kind: error.kind,
      message: error.message,
      ...(error.offset === undefined ? {} : { offset: error.offset }),
    };
  if (error instanceof LineLost) return { kind: "no_line", message: error.message };
  return { kind: "internal", message: "a fault of the server" };
}

/**
 * The same bytes with every secret replaced by 2A. If a secret matches at several overlapping positions, as a
 * run of six ones after an access level of one, all of them are masked: which one is the secret is not known
 * here, and none of its bytes may stay.
 */
export function maskSecrets(bytes: Uint8Array, secrets: readonly Uint8Array[]): Uint8Array {
  let masked: Uint8Array = bytes;
  for (const secret of secrets) {
    if (secret.length === 0) continue;
    for (let at = 0; at + secret.length <= bytes.length; at++) {
      if (!secret.every((byte, index) => bytes[at + index] === byte)) continue;
      if (masked === bytes) masked = bytes.slice();
      masked.fill(maskByte, at, at + secret.length);
    }
  }
  return masked;
}

import { maskByte, ProtocolError, type Step, toHex } from "@metrum/protocols";
import { LineLost } from "#headend/channels";
import type { Clock } from "#core";

/** A try as it rests in the poll log: bytes in hexadecimal, times in milliseconds after the beginning of the exchange. */
export interface LoggedStep {
  readonly label: string;
  readonly try: number;
  readonly tries: number;
  readonly at: number;
  readonly answered: number | null;
  readonly ended: number;
  readonly sent: string;
  readonly received: string;
  /** Port of an uplink: its payload means something else on another one. */
  readonly fport?: number | undefined;
  /** Of an uplink: when the network heard it, epoch seconds, where it said so; and the codec of the company that read it. */
  readonly heardAt?: number | undefined;
  readonly codec?: number | undefined;
  readonly error?:
    { readonly kind: string; readonly message: string; readonly offset?: number | undefined } | undefined;
}

/** Bytes of one exchange that are kept; what comes after is left out, and the step says so. */
const maxKeptBytes = 64 * 1024;

/** Collects what was said on the line during one poll. */
export interface Exchange {
  begin(
    step: Step,
    attempt: number,
  ): { answered: () => void; end: (received: Uint8Array, error?: unknown) => void };
  steps(): readonly LoggedStep[];
  /** Tries beyond the first of each step. */
  retries(): number;
}

/** `secrets`: byte strings that must not be kept (passwords, keys); each of their bytes is replaced by 2A. */
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

/** What the users of the device read. The text of an exception that is not declared may name hosts, files or SQL, and stays in the server's log. */
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
 * The same bytes with 2A in the place of every secret. Where one may begin at several places that overlap, as six ones after a level
 * of one, all of them are covered: which is the secret is not known here, and none of its bytes may stay.
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

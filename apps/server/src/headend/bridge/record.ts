import { toHex } from "@metrum/protocols/core";
import type { StepName } from "@metrum/vocabulary";
import type { Clock } from "#core";
import { maskSecrets, type LoggedStep } from "#headend/exchanges";

/** Limit of bytes and turns recorded per transparent port; all are counted. */
const maxKeptBytes = 64 * 1024;
const maxTurns = 1000;

interface Turn {
  readonly at: number;
  answered: number | null;
  ended: number;
  readonly sent: Uint8Array[];
  readonly received: Uint8Array[];
}

/**
 * Record of the traffic of a transparent port in turns: bytes sent, and bytes received until the next were
 * sent.
 */
export interface Passage {
  readonly sent: (bytes: Uint8Array) => void;
  readonly received: (bytes: Uint8Array) => void;
  readonly counts: () => { readonly sent: number; readonly received: number };
  readonly steps: () => readonly LoggedStep[];
}

/** `secrets`: byte strings that must not be recorded, even if they arrive in several chunks of one turn. */
export function recordPassage(clock: Clock, secrets: readonly Uint8Array[]): Passage {
  const startMs = clock.monotonicMs();
  const turns: Turn[] = [];
  const counts = { sent: 0, received: 0 };
  let kept = 0;
  const since = (): number => Math.round(clock.monotonicMs() - startMs);
  const turnFor = (way: "sent" | "received"): Turn | undefined => {
    const last = turns.at(-1);
    if (last && (way === "received" || last.received.length === 0)) return last;
    if (turns.length >= maxTurns) return undefined;
    const next: Turn = { at: since(), answered: null, ended: since(), sent: [], received: [] };
    turns.push(next);
    return next;
  };
  const pass = (way: "sent" | "received", bytes: Uint8Array): void => {
    counts[way] += bytes.length;
    if (kept >= maxKeptBytes) return;
    const turn = turnFor(way);
    if (!turn) return;
    const part = bytes.slice(0, maxKeptBytes - kept);
    kept += part.length;
    turn[way].push(part);
    turn.ended = since();
    if (way === "received") turn.answered ??= turn.ended;
  };
  const hex = (parts: readonly Uint8Array[]): string =>
    toHex(maskSecrets(Uint8Array.from(parts.flatMap((part) => [...part])), secrets));
  return {
    sent: (bytes) => pass("sent", bytes),
    received: (bytes) => pass("received", bytes),
    counts: () => ({ ...counts }),
    steps: () =>
      turns.map(({ at, answered, ended, sent, received }) => ({
        label: "bridge" satisfies StepName,
        try: 1,
        tries: 1,
        at,
        answered,
        ended,
        sent: hex(sent),
        received: hex(received),
      })),
  };
}

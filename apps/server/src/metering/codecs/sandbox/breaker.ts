/** Consecutive overruns after which a codec is suspended, and for how long. */
const mostOverruns = 3;
const restMs = 60_000;

interface Record {
  overruns: number;
  restsUntilMs: number;
}

/**
 * Circuit breaker for codecs that exceed their limits: each overrun blocks a worker for a quarter of a
 * second.
 */
export class Breaker {
  readonly #records = new Map<string, Record>();
  readonly #clockMs: () => number;

  constructor(clockMs: () => number) {
    this.#clockMs = clockMs;
  }

  /** Whether the codec is suspended now. After the pause it gets one attempt. */
  isResting(codec: string): boolean {
    return (this.#records.get(codec)?.restsUntilMs ?? 0) > this.#clockMs();
  }

  note(codec: string, hasOverrun: boolean): void {
    if (!hasOverrun) {
      this.#records.delete(codec);
      return;
    }
    const overruns = (this.#records.get(codec)?.overruns ?? 0) + 1;
    const restsUntilMs = overruns >= mostOverruns ? this.#clockMs() + restMs : 0;
    this.#records.set(codec, { overruns, restsUntilMs });
  }
}

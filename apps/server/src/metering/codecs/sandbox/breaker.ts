/** Overruns one after the other until a codec is left alone, and for how long. */
const mostOverruns = 3;
const restMs = 60_000;

interface Record {
  overruns: number;
  restsUntilMs: number;
}

/** Remembers codecs that ran over their limits: each overrun holds a worker for a quarter of a second, which others need. */
export class Breaker {
  readonly #records = new Map<string, Record>();
  readonly #clockMs: () => number;

  constructor(clockMs: () => number) {
    this.#clockMs = clockMs;
  }

  /** Whether the codec is left alone now. When its rest is over it gets one try. */
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

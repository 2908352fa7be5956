/** What waits for its turn: of whom it is, and of which codec. */
export interface Lane {
  readonly company: number;
  readonly codec: string;
}

/**
 * A queue that is fair twice: companies take turns, and within a company its codecs do. A company has one at work at a time, so
 * that one worker of two is always free for the others.
 */
export class Lanes<Item extends Lane> {
  readonly #mostWaiting: number;
  /** In the order of their turns: a Map keeps it, and whoever was served goes to the end. */
  readonly #companies = new Map<number, Map<string, Item[]>>();
  readonly #atWork = new Set<number>();

  /** `mostWaiting`: items of one company; more are not taken. */
  constructor(mostWaiting: number) {
    this.#mostWaiting = mostWaiting;
  }

  /** Adds to the end of its lane; false when its company has too many waiting. */
  add(item: Item): boolean {
    const codecs = this.#companies.get(item.company) ?? new Map<string, Item[]>();
    const waiting = [...codecs.values()].reduce((sum, lane) => sum + lane.length, 0);
    if (waiting >= this.#mostWaiting) return false;
    this.#companies.set(item.company, codecs);
    const lane = codecs.get(item.codec);
    if (lane) lane.push(item);
    else codecs.set(item.codec, [item]);
    return true;
  }

  /** The next whose turn it is; its company is at work until `done`. */
  take(): Item | undefined {
    for (const [company, codecs] of this.#companies) {
      if (this.#atWork.has(company)) continue;
      const [codec, lane] = codecs.entries().next().value ?? [];
      const item = lane?.shift();
      if (codec === undefined || lane === undefined || item === undefined) continue;
      codecs.delete(codec);
      if (lane.length > 0) codecs.set(codec, lane);
      this.#companies.delete(company);
      if (codecs.size > 0) this.#companies.set(company, codecs);
      this.#atWork.add(company);
      return item;
    }
    return undefined;
  }

  done({ company }: Lane): void {
    this.#atWork.delete(company);
  }

  /** Takes everything that waits, for the end. */
  drain(): Item[] {
    const items = [...this.#companies.values()].flatMap((codecs) => [...codecs.values()].flat());
    this.#companies.clear();
    return items;
  }
}

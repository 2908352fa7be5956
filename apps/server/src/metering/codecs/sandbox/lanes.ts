/** A queued item: its company, and its codec. */
export interface Lane {
  readonly company: number;
  readonly codec: string;
}

/**
 * A queue with two levels of round robin: among companies, and within a company among its codecs. A company
 * has one item in progress at a time, so that one of the two workers is always available to the others.
 */
export class Lanes<Item extends Lane> {
  readonly #mostWaiting: number;
  /** In order of turns: a Map keeps insertion order, and a served company goes to the end. */
  readonly #companies = new Map<number, Map<string, Item[]>>();
  readonly #atWork = new Set<number>();

  /** `mostWaiting`: queued items of one company; more are refused. */
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

  /** The next item in turn; its company is busy until `done`. */
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

  /** Removes all queued items, for the shutdown. */
  drain(): Item[] {
    const items = [...this.#companies.values()].flatMap((codecs) => [...codecs.values()].flat());
    this.#companies.clear();
    return items;
  }
}

/** Collects items of many callers into batches; `results` resolves to one result per item. */
interface Waiting<Item, Result> {
  readonly items: readonly Item[];
  readonly done: (results: readonly Result[]) => void;
  readonly failed: (error: unknown) => void;
}

export interface BatcherOptions<Item, Result> {
  /** Writes a batch; returns one result per item, in order. */
  readonly write: (items: readonly Item[]) => Promise<readonly Result[]>;
  /**
   * Whether an error is caused by a single item, so that the items of other callers are written without it.
   */
  readonly isOfItem: (error: unknown) => boolean;
  /** A batch is closed when it reaches this size or this age, whichever comes first. */
  readonly fullAt: number;
  readonly closeAfterMs: number;
  /** Number of batches written concurrently. */
  readonly flights: number;
  /** Limit of queued items; beyond it `add` waits before it accepts more. */
  readonly mostWaiting: number;
}

/** Combines items of many callers into batches. A caller is answered only when its own items are written. */
export class Batcher<Item, Result> {
  readonly #options: BatcherOptions<Item, Result>;
  readonly #queue: Waiting<Item, Result>[] = [];
  readonly #forRoom: (() => void)[] = [];
  readonly #forIdle: (() => void)[] = [];
  #waiting = 0;
  #flying = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: BatcherOptions<Item, Result>) {
    this.#options = options;
  }

  async add(items: readonly Item[]): Promise<readonly Result[]> {
    const { fullAt, mostWaiting } = this.#options;
    const parts: Promise<readonly Result[]>[] = [];
    for (let from = 0; from < items.length; from += fullAt) {
      while (this.#waiting >= mostWaiting) await new Promise<void>((resolve) => this.#forRoom.push(resolve));
      const part = this.#enqueue(items.slice(from, from + fullAt));
      // Awaited below; until then a failed part must not be reported as an unhandled rejection.
      part.catch(() => undefined);
      parts.push(part);
    }
    return (await Promise.all(parts)).flat();
  }

  /** Resolves when no batch is in flight. */
  async settle(): Promise<void> {
    if (this.#flying > 0 || this.#queue.length > 0)
      await new Promise<void>((resolve) => this.#forIdle.push(resolve));
  }

  #enqueue(items: readonly Item[]): Promise<readonly Result[]> {
    return new Promise((done, failed) => {
      this.#queue.push({ items, done, failed });
      this.#waiting += items.length;
      this.#schedule();
    });
  }

  #schedule(): void {
    const { flights, fullAt, closeAfterMs } = this.#options;
    if (this.#queue.length === 0 || this.#flying >= flights) return;
    if (this.#waiting >= fullAt) {
      clearTimeout(this.#timer);
      this.#timer = undefined;
      void this.#fly();
      this.#schedule();
      return;
    }
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      if (this.#queue.length > 0 && this.#flying < flights) void this.#fly();
    }, closeAfterMs);
  }

  async #fly(): Promise<void> {
    this.#flying += 1;
    await this.#write(this.#take());
    this.#flying -= 1;
    while (this.#waiting < this.#options.mostWaiting && this.#forRoom.length > 0) this.#forRoom.shift()?.();
    this.#schedule();
    if (this.#flying === 0 && this.#queue.length === 0) for (const each of this.#forIdle.splice(0)) each();
  }

  #take(): Waiting<Item, Result>[] {
    const taken: Waiting<Item, Result>[] = [];
    let size = 0;
    for (let next = this.#queue[0]; next; next = this.#queue[0]) {
      if (taken.length > 0 && size + next.items.length > this.#options.fullAt) break;
      this.#queue.shift();
      taken.push(next);
      size += next.items.length;
    }
    this.#waiting -= size;
    return taken;
  }

  async #write(batch: readonly Waiting<Item, Result>[]): Promise<void> {
    try {
      const results = await this.#options.write(batch.flatMap(({ items }) => items));
      let at = 0;
      for (const { items, done } of batch) {
        done(results.slice(at, at + items.length));
        at += items.length;
      }
    } catch (error) {
      if (batch.length > 1 && this.#options.isOfItem(error))
        for (const each of batch) await this.#write([each]);
      else for (const { failed } of batch) failed(error);
    }
  }
}

import { problem } from "@metrum/contract/core";

/** Bounds of the turns of one holder: those that run, those that wait, and how long they wait. */
export interface TurnBounds {
  readonly atOnce: number;
  readonly waiting: number;
  readonly waitMs: number;
}

/** Turns that are taken by key; a waiting one costs memory only. */
export interface Turns {
  /** Resolves to the function that ends the turn. Problem: busy, when too many wait or the wait is too long. */
  readonly take: (key: string) => Promise<() => void>;
}

interface Holder {
  running: number;
  readonly queue: (() => void)[];
}

/** Bounds what each holder does at a time, in this process and in order of arrival. */
export function createTurns({ atOnce, waiting, waitMs }: TurnBounds): Turns {
  const holders = new Map<string, Holder>();

  const ender = (key: string, holder: Holder): (() => void) => {
    let isEnded = false;
    return () => {
      if (isEnded) return;
      isEnded = true;
      const next = holder.queue.shift();
      if (next) next();
      else if ((holder.running -= 1) === 0) holders.delete(key);
    };
  };

  const inQueue = (key: string, holder: Holder): Promise<() => void> =>
    new Promise((resolve, reject) => {
      const start = (): void => {
        clearTimeout(timer);
        resolve(ender(key, holder));
      };
      const timer = setTimeout(() => {
        holder.queue.splice(holder.queue.indexOf(start), 1);
        reject(problem("busy"));
      }, waitMs);
      holder.queue.push(start);
    });

  return {
    async take(key) {
      const holder = holders.get(key) ?? { running: 0, queue: [] };
      holders.set(key, holder);
      if (holder.running >= atOnce) {
        if (holder.queue.length >= waiting) throw problem("busy");
        return inQueue(key, holder);
      }
      holder.running += 1;
      return ender(key, holder);
    },
  };
}

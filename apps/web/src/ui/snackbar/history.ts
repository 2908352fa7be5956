import type { Snack, SnackKind } from "./queue.ts";

/** Number of past messages kept, as each is visible for a few seconds only. */
export const historyLength = 50;

export interface Said {
  readonly id: number;
  readonly kind: SnackKind;
  readonly text: string;
  /** Epoch seconds. */
  readonly atSec: number;
}

/** Messages since the page was opened, oldest first, and how many are unread. */
export function createHistory(nowSec: () => number = () => Math.floor(Date.now() / 1000)) {
  let entries: readonly Said[] = [];
  let unread = 0;
  const listeners = new Set<() => void>();
  const tell = () => {
    for (const each of listeners) each();
  };
  return {
    get: () => entries,
    unread: () => unread,
    add: ({ id, kind, text }: Pick<Snack, "id" | "kind" | "text">) => {
      entries = [...entries, { id, kind, text, atSec: nowSec() }].slice(-historyLength);
      unread = Math.min(unread + 1, historyLength);
      tell();
    },
    markRead: () => {
      if (unread === 0) return;
      unread = 0;
      tell();
    },
    /** Messages belong to the signed-in user. */
    clear: () => {
      entries = [];
      unread = 0;
      tell();
    },
    subscribe: (listener: () => void) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

export const snackHistory = createHistory();

import type { Snack, SnackKind } from "./queue.ts";

/** A message lasts a few seconds on the screen; so many of them are kept for those who looked elsewhere. */
export const historyLength = 50;

export interface Said {
  readonly id: number;
  readonly kind: SnackKind;
  readonly text: string;
  /** Epoch seconds. */
  readonly atSec: number;
}

/** What was said since the page was opened, oldest first, and how much of it nobody has looked at. */
export function createHistory(nowSec: () => number = () => Math.floor(Date.now() / 1000)) {
  let said: readonly Said[] = [];
  let unread = 0;
  const listeners = new Set<() => void>();
  const tell = () => {
    for (const each of listeners) each();
  };
  return {
    get: () => said,
    unread: () => unread,
    add: ({ id, kind, text }: Pick<Snack, "id" | "kind" | "text">) => {
      said = [...said, { id, kind, text, atSec: nowSec() }].slice(-historyLength);
      unread = Math.min(unread + 1, historyLength);
      tell();
    },
    markRead: () => {
      if (unread === 0) return;
      unread = 0;
      tell();
    },
    /** Messages belong to who was signed in. */
    clear: () => {
      said = [];
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

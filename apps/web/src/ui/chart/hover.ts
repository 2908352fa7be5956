import { useSyncExternalStore } from "react";

/** The point under the pointer or the keyboard cursor, shared by chart and table of the same rows. */
export interface Hover {
  readonly get: () => number | null;
  readonly set: (index: number | null) => void;
  /** A pinned point stays until it is replaced or cleared. */
  readonly pin: (index: number | null) => void;
  readonly isPinned: () => boolean;
  readonly subscribe: (listener: () => void) => () => void;
}

export function createHover(): Hover {
  const listeners = new Set<() => void>();
  let current: number | null = null;
  let pinned = false;
  const change = (index: number | null) => {
    if (index === current) return;
    current = index;
    for (const listener of listeners) listener();
  };
  return {
    get: () => current,
    set: (index) => {
      if (!pinned) change(index);
    },
    pin: (index) => {
      pinned = index !== null;
      change(index);
    },
    isPinned: () => pinned,
    subscribe: (listener) => {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
  };
}

export function useHover(hover: Hover): number | null {
  return useSyncExternalStore(hover.subscribe, hover.get);
}

/** True only for the row under the pointer, so that others do not re-render. */
export function useIsHovered(hover: Hover, index: number): boolean {
  return useSyncExternalStore(hover.subscribe, () => hover.get() === index);
}

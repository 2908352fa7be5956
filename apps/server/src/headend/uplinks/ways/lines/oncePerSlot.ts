/** Names that are remembered; beyond them the oldest are forgotten. */
const capacity = 100_000;

/** Lets through what is the first of its name in a slot of time. */
export interface OncePerSlot {
  /** True: it is the first one. */
  take(name: string, slot: number): boolean;
  /** It was not kept after all: the next one of the slot is taken. */
  forget(name: string): void;
}

export function oncePerSlot(): OncePerSlot {
  // In the order of the last slots, so that the oldest stands first.
  const last = new Map<string, number>();
  return {
    take(name, slot) {
      if (last.get(name) === slot) return false;
      last.delete(name);
      last.set(name, slot);
      const [oldest] = last.size > capacity ? last.keys() : [];
      if (oldest !== undefined) last.delete(oldest);
      return true;
    },
    forget: (name) => void last.delete(name),
  };
}

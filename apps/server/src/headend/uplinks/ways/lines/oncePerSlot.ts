/** Maximum number of remembered keys; the oldest are forgotten. */
const capacity = 100_000;

/** Admits only the first item per key and time slot. */
export interface OncePerSlot {
  /** True: it is the first one. */
  take(name: string, slot: number): boolean;
  /** It was not stored after all: the next one of the slot is admitted. */
  forget(name: string): void;
}

export function oncePerSlot(): OncePerSlot {
  // Ordered by last slot, so that the oldest is first.
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

import { useState, useSyncExternalStore } from "react";

/** A value outside the state of a component: of those that read it, only the ones it changes re-render. */
export interface GridStore<Value> {
  readonly get: () => Value;
  readonly set: (next: Value) => void;
  readonly subscribe: (listener: () => void) => () => void;
}

function makeStore<Value>(first: Value): GridStore<Value> {
  let value = first;
  const listeners = new Set<() => void>();
  return {
    get: () => value,
    set: (next) => {
      if (next === value) return;
      value = next;
      for (const listener of listeners) listener();
    },
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** The same store for the lifetime of the component. */
export function useStore<Value>(first: Value): GridStore<Value> {
  const [store] = useState(() => makeStore(first));
  return store;
}

/** A value derived from the stored one; only components whose value changes re-render. */
export function useStored<Value, Read extends string | number | boolean>(
  store: GridStore<Value>,
  read: (value: Value) => Read,
): Read {
  return useSyncExternalStore(store.subscribe, () => read(store.get()));
}

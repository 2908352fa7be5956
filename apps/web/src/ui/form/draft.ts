import { isSameContent } from "@metrum/contract/core";
import { useState } from "react";

interface Entry {
  readonly value: unknown;
  /** Stored values when editing began: a different value now was saved by another user. */
  readonly over: unknown;
}
type Entries = Readonly<Record<string, Entry>>;

const none: Entries = {};

/**
 * Input over stored values: untouched fields follow the stored values, and a saved form becomes clean by
 * itself.
 */
export function useDraft<Values extends object>(stored: Values) {
  const [entries, setEntries] = useState(none);
  const entered = Object.fromEntries(Object.entries(entries).map(([name, { value }]) => [name, value]));
  const values: Values = { ...stored, ...entered };
  const at = (name: string): unknown => Reflect.get(stored, name);
  const differs = (name: string) => {
    const entry = entries[name];
    return entry !== undefined && !isSameContent(entry.value, at(name));
  };
  return {
    values,
    isDirty: Object.keys(entries).some(differs),
    /** Whether a field differs from the stored value. */
    differs,
    /** Whether another user has changed a field that differs. */
    collides: (name: string) => differs(name) && !isSameContent(entries[name]?.over, at(name)),
    /** Sets values by field name. */
    put: (change: object) =>
      setEntries((old) => ({
        ...old,
        ...Object.fromEntries(
          Object.entries<unknown>({ ...change }).map(([name, value]) => [
            name,
            { value, over: name in old ? old[name]?.over : at(name) },
          ]),
        ),
      })),
    discard: () => setEntries(none),
  };
}

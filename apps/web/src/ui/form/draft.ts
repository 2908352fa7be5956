import { useState } from "react";

interface Entry {
  readonly value: unknown;
  /** What was stored when the entry was begun: another value now was saved by somebody else. */
  readonly over: unknown;
}
type Entries = Readonly<Record<string, Entry>>;

const none: Entries = {};
const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);

/**
 * What is entered over what is stored: fields nobody has touched follow what is stored, and a form that was saved is clean by itself.
 */
export function useDraft<Values extends object>(stored: Values) {
  const [entries, setEntries] = useState(none);
  const entered = Object.fromEntries(Object.entries(entries).map(([name, { value }]) => [name, value]));
  const values: Values = { ...stored, ...entered };
  const at = (name: string): unknown => Reflect.get(stored, name);
  const differs = (name: string) => {
    const entry = entries[name];
    return entry !== undefined && !isSame(entry.value, at(name));
  };
  return {
    values,
    isDirty: Object.keys(entries).some(differs),
    /** Whether a field differs from what is stored. */
    differs,
    /** Whether somebody else has changed a field that differs. */
    collides: (name: string) => differs(name) && !isSame(entries[name]?.over, at(name)),
    /** Enters values by the names of their fields. */
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

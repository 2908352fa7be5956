import { useState } from "react";

/** What is entered over what is stored: only fields that differ from it, so a saved form is clean by itself. */
export function useDraft<Fields extends object>(stored: Fields) {
  const [entered, setEntered] = useState<Partial<Fields>>({});
  const draft: Fields = { ...stored, ...entered };
  const isDirty = JSON.stringify(draft) !== JSON.stringify(stored);
  const set = <Key extends keyof Fields>(key: Key, value: Fields[Key]) =>
    setEntered((old) => ({ ...old, [key]: value }));
  return { draft, set, isDirty, discard: () => setEntered({}) };
}

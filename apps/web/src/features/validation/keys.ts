import { useEffect, useRef } from "react";

/** Keys of the inbox by their place on the keyboard: a Cyrillic layout has other characters there. */
export const keys = {
  KeyJ: "next",
  KeyK: "previous",
  KeyE: "estimate",
  KeyA: "accept",
  KeyR: "reject",
  KeyP: "ask",
  KeyC: "comment",
} as const;
export type InboxKey = (typeof keys)[keyof typeof keys] | "help";

/** The action of a key; undefined while typing, in a dialog, and with a command key. */
export function keyOf(event: KeyboardEvent): InboxKey | undefined {
  if (event.ctrlKey || event.metaKey || event.altKey) return undefined;
  if (event.target instanceof Element && event.target.closest("input, textarea, select, dialog, [role=menu]"))
    return undefined;
  // Its character has another key in a Cyrillic layout; either one is taken.
  if (event.key === "?" || (event.code === "Slash" && event.shiftKey)) return "help";
  return Object.entries(keys).find(([code]) => code === event.code)?.[1];
}

/** Listens on the whole page, for these keys only: another part has the others. */
export function useKeys<Key extends InboxKey>(own: readonly Key[], onKey: (key: Key) => void): void {
  const latest = useRef({ own, onKey });
  useEffect(() => {
    latest.current = { own, onKey };
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      const pressed = keyOf(event);
      const key = latest.current.own.find((each) => each === pressed);
      if (!key || event.defaultPrevented || document.querySelector("dialog[open]")) return;
      event.preventDefault();
      latest.current.onKey(key);
    };
    document.addEventListener("keydown", listen);
    return () => document.removeEventListener("keydown", listen);
  }, []);
}

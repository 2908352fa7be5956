import { useEffect, useState } from "react";

export type Overlay = "palette" | "shortcuts";

type Keys = Pick<KeyboardEvent, "key" | "code" | "ctrlKey" | "metaKey" | "altKey" | "shiftKey" | "target">;

/** Overlays opened by keys: Ctrl K or Cmd K with any focus, ? outside of text fields. */
export function overlayOf(event: Keys): Overlay | null {
  const { key, code, ctrlKey, metaKey, altKey, shiftKey, target } = event;
  if (altKey) return null;
  // By physical key if the layout has no Latin letters.
  const isK = /^[a-z]$/i.test(key) ? key.toLowerCase() === "k" : code === "KeyK";
  if (ctrlKey || metaKey) return isK ? "palette" : null;
  const isTyping = target instanceof Element && target.closest("input, textarea, select") !== null;
  return (key === "?" || (code === "Slash" && shiftKey)) && !isTyping ? "shortcuts" : null;
}

/**
 * Not over a dialog, which must be answered first, nor instead of the list of keys of a screen; the same key closes
 * the overlay.
 */
export function useOverlay() {
  const [shown, setShown] = useState<Overlay | null>(null);
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const overlay = overlayOf(event);
      if (overlay === null || (overlay === "shortcuts" && event.defaultPrevented)) return;
      event.preventDefault();
      const isFree = document.querySelector("dialog[open]") === null;
      setShown((before) => (before === null && isFree ? overlay : null));
    };
    addEventListener("keydown", onKeyDown);
    return () => removeEventListener("keydown", onKeyDown);
  }, []);
  return [shown, setShown] as const;
}

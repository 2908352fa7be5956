import { useEffect, useRef, type RefObject } from "react";

/**
 * Closes inline content on a press elsewhere. Returns the ref of the element that contains the opener and the
 * content.
 */
export function useClosing(isOpen: boolean, close: () => void): RefObject<HTMLDivElement | null> {
  const holder = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!isOpen) return undefined;
    const onPress = ({ target }: Event) => {
      if (!(target instanceof Node) || holder.current?.contains(target) !== true) close();
    };
    document.addEventListener("pointerdown", onPress);
    return () => document.removeEventListener("pointerdown", onPress);
  }, [isOpen, close]);
  return holder;
}

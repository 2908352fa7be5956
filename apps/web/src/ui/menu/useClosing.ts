import { useEffect, useRef, type RefObject } from "react";

/** For what opens in place: a press elsewhere closes it. The answer is the ref of what holds both the opener and what is open. */
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

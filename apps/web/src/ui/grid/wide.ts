import { useEffect, type RefObject } from "react";

/**
 * Marks a scroller while its table is wider than it. Only then the style sheet pins cells: each pinned cell
 * is a layer of the compositor, and 100 rows with two of them make every frame slow.
 */
export function useWideMark(scroller: RefObject<HTMLDivElement | null>): void {
  useEffect(() => {
    const { current } = scroller;
    const table = current?.querySelector("table");
    if (!current || !table) return undefined;
    const sizes = new ResizeObserver(() => {
      current.toggleAttribute("data-wide", current.scrollWidth > current.clientWidth);
    });
    sizes.observe(current);
    sizes.observe(table);
    return () => sizes.disconnect();
  }, [scroller]);
}

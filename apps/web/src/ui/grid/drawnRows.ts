import { useCallback, useEffect, useState, type RefObject } from "react";

/** Rows rendered above and below the visible ones, so that scrolling shows no blank area. */
const around = 12;

export interface Drawn {
  readonly first: number;
  readonly last: number;
}

/** Rows of equal height visible at this offset, `last` exclusive. */
export function drawnBetween(offset: number, viewHeight: number, rowHeight: number, count: number): Drawn {
  const first = Math.max(0, Math.floor(offset / rowHeight) - around);
  const last = Math.min(count, Math.ceil((offset + viewHeight) / rowHeight) + around);
  return { first: Math.min(first, last), last };
}

interface Settings {
  readonly count: number;
  readonly height: number;
  readonly isVirtual: boolean;
  readonly scroller: RefObject<HTMLDivElement | null>;
}

/**
 * Rendered rows: all of a short list, of a long one those in sight and a few around them. Every row has the
 * same height, so this needs no measuring and no library.
 */
export function useDrawnRows({ count, height, isVirtual, scroller }: Settings) {
  const [drawn, setDrawn] = useState<Drawn>(() => drawnBetween(0, innerHeight, height, count));
  useEffect(() => {
    const { current } = scroller;
    if (!isVirtual || current === null) return undefined;
    const update = () => {
      const next = drawnBetween(current.scrollTop, current.clientHeight, height, count);
      setDrawn((old) => (old.first === next.first && old.last === next.last ? old : next));
    };
    const size = new ResizeObserver(update);
    size.observe(current);
    current.addEventListener("scroll", update, { passive: true });
    update();
    return () => {
      size.disconnect();
      current.removeEventListener("scroll", update);
    };
  }, [count, height, isVirtual, scroller]);

  const reveal = useCallback(
    (index: number) => {
      const { current } = scroller;
      if (isVirtual && current !== null) scrollTo(current, index * height, height);
      requestAnimationFrame(() => {
        current?.querySelector<HTMLElement>(`[data-index="${String(index)}"]`)?.focus();
      });
    },
    [height, isVirtual, scroller],
  );
  const { first, last } = isVirtual ? drawn : { first: 0, last: count };
  const end = Math.min(last, count);
  const start = Math.min(first, end);
  return {
    indexes: Array.from({ length: end - start }, (_, at) => start + at),
    before: start * height,
    after: (count - end) * height,
    reveal,
  };
}

/** Minimum scrolling that brings the row into sight; the head covers the height of the first row. */
function scrollTo(scroller: HTMLElement, top: number, height: number): void {
  if (top < scroller.scrollTop) scroller.scrollTop = top;
  else if (top + 2 * height > scroller.scrollTop + scroller.clientHeight)
    scroller.scrollTop = top + 2 * height - scroller.clientHeight;
}

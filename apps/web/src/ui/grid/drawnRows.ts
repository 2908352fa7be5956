import { startTransition, useCallback, useEffect, useLayoutEffect, useState, type RefObject } from "react";

/** Rows rendered above and below the visible ones, so that scrolling shows no blank area. */
const around = 12;
/** The same while a table is drawn for the first time: only what is in sight may keep the user waiting. */
const aroundFirst = 2;

export interface Drawn {
  readonly first: number;
  readonly last: number;
}

/** A part of a list that is in sight: pixels. */
interface View {
  readonly offset: number;
  readonly height: number;
  /** Of the height, what is above the lower edge of the window. */
  readonly inSight: number;
}

/** Rows of equal height visible at this offset, and some around them; `last` exclusive. */
export function drawnBetween(
  { offset, height }: Pick<View, "offset" | "height">,
  rowHeight: number,
  count: number,
  more = around,
): Drawn {
  const first = Math.max(0, Math.floor(offset / rowHeight) - more);
  const last = Math.min(count, Math.ceil((offset + height) / rowHeight) + more);
  return { first: Math.min(first, last), last };
}

function viewOf(scroller: HTMLElement): View {
  const { scrollTop: offset, clientHeight: height } = scroller;
  const inSight = Math.min(height, Math.max(0, innerHeight - scroller.getBoundingClientRect().top));
  return { offset, height, inSight };
}

interface Settings {
  readonly count: number;
  readonly height: number;
  readonly isVirtual: boolean;
  /** What the table shows: another one is drawn as if for the first time. */
  readonly shown: string;
  readonly scroller: RefObject<HTMLDivElement | null>;
}

/**
 * Rendered rows: all of a short list, of a long one those in sight, and then a few around them. Every row has the
 * same height, so this needs no measuring and no library.
 */
export function useDrawnRows({ count, height, isVirtual, shown, scroller }: Settings) {
  const [view, setView] = useState<View>({ offset: 0, height: innerHeight, inSight: 0 });
  const [drawnFor, setDrawnFor] = useState("");
  const isFirst = isVirtual && drawnFor !== shown;
  useLayoutEffect(() => {
    const { current } = scroller;
    if (!isVirtual || current === null) return undefined;
    const update = () => {
      const next = viewOf(current);
      const rowsOf = (each: View) => drawnBetween(each, height, count);
      setView((old) => (isSame(rowsOf(old), rowsOf(next)) && old.inSight === next.inSight ? old : next));
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
  useEffect(() => {
    if (isFirst) startTransition(() => setDrawnFor(shown));
  }, [isFirst, shown]);

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
  const drawn = isFirst
    ? drawnBetween({ ...view, height: view.inSight }, height, count, aroundFirst)
    : drawnBetween(view, height, count);
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

const isSame = (one: Drawn, other: Drawn): boolean => one.first === other.first && one.last === other.last;

/** Minimum scrolling that brings the row into sight; the head covers the height of the first row. */
function scrollTo(scroller: HTMLElement, top: number, height: number): void {
  if (top < scroller.scrollTop) scroller.scrollTop = top;
  else if (top + 2 * height > scroller.scrollTop + scroller.clientHeight)
    scroller.scrollTop = top + 2 * height - scroller.clientHeight;
}

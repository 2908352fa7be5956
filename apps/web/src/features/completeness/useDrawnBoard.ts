import { useRef, type RefObject } from "react";
import { useDrawnRows, useIsPhone } from "#ui/grid";

/** Heights of a row, as in the style sheet: on a phone the name is above the cells. */
const heights = { wide: 26, phone: 54 } as const;
const headHeight = 48;

export interface DrawnRows {
  readonly scroller: RefObject<HTMLDivElement | null>;
  readonly indexes: readonly number[];
  readonly before: number;
  readonly after: number;
  readonly pageRows: () => number;
  readonly reveal: (row: number) => void;
}

/** The rows in sight: a board of 100,000 devices draws no more than one of a hundred. */
export function useDrawnBoard(count: number): DrawnRows {
  const height = useIsPhone() ? heights.phone : heights.wide;
  const scroller = useRef<HTMLDivElement>(null);
  const { indexes, before, after } = useDrawnRows({
    count,
    height,
    isVirtual: true,
    shown: "board",
    scroller,
  });
  return {
    scroller,
    indexes,
    before,
    after,
    pageRows: () =>
      Math.max(1, Math.floor(((scroller.current?.clientHeight ?? 0) - headHeight) / height) - 1),
    reveal: (row) => {
      const { current } = scroller;
      if (current === null) return;
      const top = row * height;
      const inSight = current.clientHeight - headHeight - height;
      if (top < current.scrollTop) current.scrollTop = top;
      else if (top > current.scrollTop + inSight) current.scrollTop = top - inSight;
    },
  };
}

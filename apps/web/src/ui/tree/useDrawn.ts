import { useLayoutEffect, useState, type RefObject } from "react";

/** Height of a row until one is measured, of a box that has none yet, and the rows drawn around it. */
const guess = { row: 30, box: 900, around: 8 };

/** The rows of a scrolling box that are drawn: those in sight and some around them. */
export function useDrawn(box: RefObject<HTMLElement | null>, count: number) {
  const [height, setHeight] = useState(guess.row);
  const [view, setView] = useState({ top: 0, box: guess.box });
  useLayoutEffect(() => {
    const { current } = box;
    if (!current) return;
    setHeight(current.querySelector<HTMLElement>("[role=treeitem]")?.offsetHeight || guess.row);
    setView((was) => ({ ...was, box: current.clientHeight || guess.box }));
  }, [box, count]);
  const first = Math.max(0, Math.floor(view.top / height) - guess.around);
  const last = Math.min(count, Math.ceil((view.top + view.box) / height) + guess.around);
  return {
    first,
    last,
    height,
    onScroll: () =>
      setView({ top: box.current?.scrollTop ?? 0, box: box.current?.clientHeight || guess.box }),
    /** Scrolls a row into sight. */
    show: (at: number) => {
      const { current } = box;
      if (!current) return;
      if (at * height < current.scrollTop) current.scrollTop = at * height;
      else if ((at + 1) * height > current.scrollTop + current.clientHeight)
        current.scrollTop = (at + 1) * height - current.clientHeight;
    },
  };
}

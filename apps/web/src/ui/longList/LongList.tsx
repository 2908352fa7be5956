import { useLayoutEffect, useRef, useState, type ReactNode } from "react";
import "./longList.css";

/** Above this number only the options in sight are drawn (UI-034). */
const virtualAbove = 10;
/** Of the box, as in the style sheet, and of an option until it is measured. */
const heights = { box: 320, option: 30 };
/** Drawn above and below, so that scrolling and the Tab key find the next one. */
const around = 4;

interface Props<Item> {
  readonly items: readonly Item[];
  readonly keyOf: (item: Item) => string;
  readonly children: (item: Item) => ReactNode;
  readonly className?: string;
}

/** Options of equal height in a box that scrolls. */
export function LongList<Item>({ items, keyOf, children, className = "" }: Props<Item>) {
  const list = useRef<HTMLUListElement>(null);
  const [height, setHeight] = useState(heights.option);
  const [top, setTop] = useState(0);
  // Other options are read from the first one on. A finger gets higher ones than a mouse.
  useLayoutEffect(() => {
    const { current } = list;
    if (current === null) return;
    current.scrollTop = 0;
    setTop(0);
    setHeight(current.querySelector("li")?.offsetHeight || heights.option);
  }, [items.length]);
  const isVirtual = items.length > virtualAbove;
  const first = isVirtual ? Math.max(0, Math.floor(top / height) - around) : 0;
  const last = isVirtual ? Math.ceil((top + heights.box) / height) + around : items.length;
  const after = Math.max(0, items.length - last) * height;
  return (
    <ul
      ref={list}
      className={`long-list ${className}`}
      onScroll={({ currentTarget }) => setTop(currentTarget.scrollTop)}
    >
      {first === 0 ? null : <li aria-hidden="true" style={{ height: first * height }} />}
      {items.slice(first, last).map((item, at) => (
        <li key={keyOf(item)} aria-setsize={items.length} aria-posinset={first + at + 1}>
          {children(item)}
        </li>
      ))}
      {after === 0 ? null : <li aria-hidden="true" style={{ height: after }} />}
    </ul>
  );
}

import { useEffect, useRef, type KeyboardEvent, type ReactNode } from "react";
import "./tabs.css";

export interface TabItem {
  readonly id: string;
  readonly title: string;
  readonly count?: ReactNode;
  /** With an address a tab is a link: a middle click opens a new browser tab. */
  readonly href?: string;
}

interface Props {
  readonly label: string;
  readonly items: readonly TabItem[];
  readonly current: string;
  readonly onSelect: (id: string) => void;
}

/** Arrow keys move the focus, Enter or a click selects; the Tab key stops at the current tab. */
export function Tabs({ label, items, current, onSelect }: Props) {
  const list = useRef<HTMLDivElement>(null);
  // On a narrow screen the strip scrolls; the current tab is always visible.
  useEffect(() => {
    const strip = list.current;
    const tab = strip?.querySelector<HTMLElement>("[aria-selected=true]");
    if (!strip || !tab || strip.scrollWidth <= strip.clientWidth) return;
    strip.scrollLeft = tab.offsetLeft - strip.offsetLeft - (strip.clientWidth - tab.clientWidth) / 2;
  }, [current]);
  const onKeyDown = (event: KeyboardEvent) => {
    const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    const tabs = [...(list.current?.querySelectorAll<HTMLElement>("[role=tab]") ?? [])];
    const at = tabs.findIndex((each) => each === document.activeElement);
    const next =
      event.key === "Home"
        ? 0
        : event.key === "End"
          ? tabs.length - 1
          : by === undefined
            ? undefined
            : at + by;
    if (next === undefined || at < 0) return;
    event.preventDefault();
    tabs[(next + tabs.length) % tabs.length]?.focus();
  };
  return (
    <div className="tabs" role="tablist" aria-label={label} ref={list} onKeyDown={onKeyDown}>
      {items.map((each) => (
        <Tab key={each.id} item={each} isCurrent={each.id === current} onSelect={onSelect} />
      ))}
    </div>
  );
}

function Tab(props: {
  readonly item: TabItem;
  readonly isCurrent: boolean;
  readonly onSelect: (id: string) => void;
}) {
  const { item, isCurrent, onSelect } = props;
  const content = (
    <>
      {item.title}
      {item.count === undefined ? null : <span className="tab-count">{item.count}</span>}
    </>
  );
  const shared = {
    role: "tab",
    className: "tab",
    "aria-selected": isCurrent,
    tabIndex: isCurrent ? 0 : -1,
  } as const;
  if (item.href === undefined)
    return (
      <button {...shared} type="button" onClick={() => onSelect(item.id)}>
        {content}
      </button>
    );
  return (
    <a
      {...shared}
      href={item.href}
      onClick={(event) => {
        if (event.ctrlKey || event.metaKey || event.shiftKey) return;
        event.preventDefault();
        onSelect(item.id);
      }}
    >
      {content}
    </a>
  );
}

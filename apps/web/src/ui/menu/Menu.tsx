import { useRef, type KeyboardEvent, type ReactNode } from "react";
import { Icon, type IconName } from "#ui/icon";
import { Popover, type TriggerProps } from "./Popover.tsx";
import type { Align } from "./place.ts";

export interface MenuEntry {
  readonly id: string;
  readonly title: string;
  readonly icon?: IconName;
  readonly href?: string;
  readonly onSelect?: () => void;
  readonly isDisabled?: boolean;
  /** Why it is disabled, or what it does. */
  readonly hint?: string;
  readonly isHarmful?: boolean;
  /** One of several options: shown with a tick. */
  readonly isChosen?: boolean;
  /** A separator above it. */
  readonly startsGroup?: boolean;
  readonly lang?: string;
}

interface Props {
  readonly label: string;
  readonly trigger: (props: TriggerProps) => ReactNode;
  readonly items: readonly MenuEntry[];
  readonly align?: Align;
  readonly header?: ReactNode;
  readonly startsOpen?: boolean;
}

const itemsOf = (menu: Element) => [
  ...menu.querySelectorAll<HTMLElement>("[role^=menuitem]:not([aria-disabled=true])"),
];

/** A list of actions: arrows, Home, End and first letters move, Enter selects, Escape closes. */
export function Menu({ label, trigger, items, align = "end", header, startsOpen = false }: Props) {
  const typed = useRef({ text: "", at: 0 });
  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>) => {
    const list = itemsOf(event.currentTarget);
    const at = list.findIndex((each) => each === document.activeElement);
    const to = targetOf(event.key, at, list.length);
    if (to !== null) {
      event.preventDefault();
      return list[to]?.focus();
    }
    if (event.key.length !== 1 || event.ctrlKey || event.metaKey || event.key === " ") return;
    const isNew = event.timeStamp - typed.current.at > 600;
    typed.current = {
      text: (isNew ? "" : typed.current.text) + event.key.toLocaleLowerCase(),
      at: event.timeStamp,
    };
    list.find((each) => each.textContent.trim().toLocaleLowerCase().startsWith(typed.current.text))?.focus();
  };
  return (
    <Popover
      label={label}
      trigger={trigger}
      align={align}
      startsOpen={startsOpen}
      role="menu"
      className="menu"
      onKeyDown={onKeyDown}
      onOpen={(menu) => (menu.querySelector<HTMLElement>("[aria-checked=true]") ?? itemsOf(menu)[0])?.focus()}
    >
      {(close) => (
        <>
          {header}
          {items.map((each) => (
            <Entry key={each.id} entry={each} close={close} />
          ))}
        </>
      )}
    </Popover>
  );
}

function targetOf(key: string, at: number, count: number): number | null {
  if (count === 0) return null;
  switch (key) {
    case "ArrowDown":
      return (at + 1) % count;
    case "ArrowUp":
      return (at - 1 + count) % count;
    case "Home":
      return 0;
    case "End":
      return count - 1;
    default:
      return null;
  }
}

function Entry({ entry, close }: { readonly entry: MenuEntry; readonly close: () => void }) {
  const content = (
    <>
      {entry.icon === undefined ? null : <Icon name={entry.icon} />}
      <span>
        {entry.title}
        {entry.hint === undefined ? null : <small>{entry.hint}</small>}
      </span>
      {entry.isChosen ? <Icon name="check" size={14} className="menu-tick" /> : null}
    </>
  );
  const shared = {
    className: "menu-item",
    tabIndex: -1,
    role: entry.isChosen === undefined ? "menuitem" : "menuitemradio",
    "aria-checked": entry.isChosen,
    "aria-disabled": entry.isDisabled || undefined,
    "data-harmful": entry.isHarmful ? "" : undefined,
    "data-group": entry.startsGroup ? "" : undefined,
    lang: entry.lang,
  } as const;
  if (entry.href !== undefined)
    return (
      <a {...shared} href={entry.href} onClick={close}>
        {content}
      </a>
    );
  const select = () => {
    if (entry.isDisabled) return;
    close();
    entry.onSelect?.();
  };
  return (
    <button {...shared} type="button" onClick={select}>
      {content}
    </button>
  );
}

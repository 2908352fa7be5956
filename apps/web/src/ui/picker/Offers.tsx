import { useLayoutEffect, useRef } from "react";
import { placeOf } from "#ui/menu";
import "./picker.css";

/** One of many, chosen by search: its name, and what distinguishes it from others of the same name. */
export interface Picked {
  readonly id: string;
  readonly title: string;
  readonly note?: string;
}

interface Props {
  readonly id: string;
  readonly label: string;
  readonly field: { readonly current: HTMLInputElement | null };
  readonly offered: readonly Picked[];
  /** Place of the option that Enter takes; -1: none. */
  readonly current: number;
  /** Shown when nothing is offered. */
  readonly note: string;
  readonly onTake: (chosen: Picked) => void;
}

/** The list of a combobox, in the top layer, so that a dialog does not clip it. */
export function Offers({ id, label, field, offered, current, note, onTake }: Props) {
  const list = useRef<HTMLUListElement>(null);
  useLayoutEffect(() => {
    const { current: shown } = list;
    if (!shown || !field.current) return;
    shown.showPopover();
    const box = field.current.getBoundingClientRect();
    shown.style.width = `${String(box.width)}px`;
    const view = { width: document.documentElement.clientWidth, height: innerHeight };
    const { left, top } = placeOf(box, { width: box.width, height: shown.offsetHeight }, view, "start");
    shown.style.left = `${String(left)}px`;
    shown.style.top = `${String(top)}px`;
  }, [field, offered.length]);
  useLayoutEffect(() => {
    list.current?.querySelector("[aria-selected=true]")?.scrollIntoView({ block: "nearest" });
  }, [current]);
  return (
    <ul ref={list} id={id} className="picker-list" popover="manual" role="listbox" aria-label={label}>
      {offered.map((each, at) => (
        <li
          key={each.id}
          id={`${id}-${String(at)}`}
          role="option"
          aria-selected={at === current}
          // Before the field loses the focus.
          onPointerDown={(event) => {
            event.preventDefault();
            onTake(each);
          }}
        >
          <span>{each.title}</span>
          {each.note === undefined ? null : <small>{each.note}</small>}
        </li>
      ))}
      {offered.length === 0 ? (
        <li className="picker-note" role="presentation">
          {note}
        </li>
      ) : null}
    </ul>
  );
}

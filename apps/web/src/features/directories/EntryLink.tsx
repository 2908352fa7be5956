import type { MouseEvent } from "react";
import { entryHref, type Kind } from "./directories.ts";

/** What the cells of a directory need: the open entry, and how another one is opened. */
export interface ListOwn {
  readonly current: string | null;
  readonly choose: (id: string) => void;
}

interface Props {
  readonly kind: Kind;
  readonly id: string;
  readonly name: string;
  readonly own: ListOwn;
}

/** Name of an entry: opens its card beside the list; with Ctrl in a new tab. */
export function EntryLink({ kind, id, name, own }: Props) {
  const onClick = (event: MouseEvent) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    own.choose(id);
  };
  return (
    <a href={entryHref(kind, id)} aria-current={own.current === id ? "true" : undefined} onClick={onClick}>
      <b>{name}</b>
    </a>
  );
}

import { useRouterState } from "@tanstack/react-router";
import type { TFunction } from "i18next";
import { useDeferredValue, useEffect, useId, useRef, useState, type KeyboardEvent } from "react";
import { useTranslation } from "react-i18next";
import { Dialog } from "#ui/dialog";
import { Icon } from "#ui/icon";
import "./palette.css";
import { rememberEntry } from "./recent.ts";
import type { Entry } from "./results.ts";
import { useEntries } from "./useEntries.ts";

/** Command palette: type, select with the arrows, Enter. */
export function Palette({ onClose }: { readonly onClose: () => void }) {
  const { t } = useTranslation("shell");
  const id = useId();
  const [search, setSearch] = useState("");
  const [chosen, setChosen] = useState(0);
  const pathname = useRouterState({ select: (state) => state.location.pathname });
  const { entries, isAsking, hasFailed } = useEntries(useDeferredValue(search), pathname);
  const at = Math.min(chosen, Math.max(0, entries.length - 1));
  const take = (entry: Entry | undefined) => {
    if (entry === undefined) return;
    onClose();
    rememberEntry(entry);
    if (entry.href !== undefined) location.hash = entry.href;
    entry.run?.();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const to = targetOf(event.key, at, entries.length);
    if (event.key === "Enter" && !event.nativeEvent.isComposing) take(entries[at]);
    else if (to !== null) setChosen(to);
    else return;
    event.preventDefault();
  };
  return (
    <Dialog title={t("palette.title")} size={618} isTitleHidden onClose={onClose}>
      <div className="palette">
        <label className="palette-input">
          <Icon name="search" />
          <input
            data-autofocus=""
            type="text"
            role="combobox"
            aria-label={t("palette.title")}
            aria-expanded="true"
            aria-controls={id}
            aria-autocomplete="list"
            aria-activedescendant={entries.length === 0 ? undefined : `${id}-${String(at)}`}
            placeholder={t("palette.placeholder")}
            value={search}
            maxLength={255}
            autoComplete="off"
            spellCheck={false}
            onChange={(event) => {
              setSearch(event.target.value);
              setChosen(0);
            }}
            onKeyDown={onKeyDown}
          />
        </label>
        <List id={id} entries={entries} at={at} onTake={take} onPoint={setChosen} />
        <p className="palette-note" role="status">
          {hasFailed ? t("palette.failed") : noteOf(entries.length, isAsking, t)}
        </p>
      </div>
    </Dialog>
  );
}

function noteOf(count: number, isAsking: boolean, t: TFunction<"shell">): string {
  if (count === 0) return isAsking ? t("palette.asking") : t("palette.none");
  return t("palette.found", { count });
}

interface ListProps {
  readonly id: string;
  readonly entries: readonly Entry[];
  readonly at: number;
  readonly onTake: (entry: Entry) => void;
  readonly onPoint: (at: number) => void;
}

function List({ id, entries, at, onTake, onPoint }: ListProps) {
  const { t } = useTranslation("shell");
  const current = useRef<HTMLLIElement>(null);
  // Newer browsers return a promise, which an effect must not return.
  useEffect(() => {
    current.current?.scrollIntoView({ block: "nearest" });
  }, [at]);
  return (
    <ul className="palette-list" id={id} role="listbox" aria-label={t("palette.title")}>
      {entries.map((each, index) => (
        <li
          key={`${each.group}.${each.id}`}
          ref={index === at ? current : null}
          id={`${id}-${String(index)}`}
          role="option"
          aria-selected={index === at}
          data-group={each.group === entries[index - 1]?.group ? undefined : t(`palette.${each.group}`)}
          onPointerMove={() => onPoint(index)}
          onClick={() => onTake(each)}
        >
          <Icon name={each.icon} />
          <span>{each.title}</span>
          {each.text === undefined || each.text === "" ? null : <small>{each.text}</small>}
        </li>
      ))}
    </ul>
  );
}

function targetOf(key: string, at: number, count: number): number | null {
  if (count === 0) return null;
  switch (key) {
    case "ArrowDown":
      return (at + 1) % count;
    case "ArrowUp":
      return (at - 1 + count) % count;
    case "PageDown":
      return Math.min(at + 8, count - 1);
    case "PageUp":
      return Math.max(at - 8, 0);
    default:
      return null;
  }
}

import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import "./search.css";
import { followAddress, submit, typedFrom } from "./typed.ts";

const quietMs = 250;

interface Props {
  /** Searchable fields; shown as placeholder. */
  readonly label: string;
  readonly value: string;
  readonly onSearch: (text: string) => void;
  /** Minimum length of a search; the box shows how many letters are missing. */
  readonly from?: number;
  /** 240, 360 or 500 pixels wide (UI-037). */
  readonly size?: "s" | "m" | "l";
}

/** Searches while typing, with a short delay. `/` focuses it from anywhere on the page. */
export function SearchBox({ label, value, onSearch, from = 0, size = "s" }: Props) {
  const { t } = useTranslation("grid");
  const [typed, setTyped] = useState(() => typedFrom(value));
  const input = useRef<HTMLInputElement>(null);
  const current = followAddress(typed, value);
  if (current !== typed) setTyped(current);
  const { text } = current;
  const setText = (next: string) => setTyped((old) => ({ ...old, text: next }));
  useEffect(() => {
    if (text === value) return undefined;
    const timer = setTimeout(() => {
      setTyped(submit);
      onSearch(text);
    }, quietMs);
    return () => clearTimeout(timer);
  }, [text, value, onSearch]);
  useEffect(() => {
    const focus = (event: KeyboardEvent) => {
      const isTyping =
        event.target instanceof Element && event.target.closest("input, textarea, select") !== null;
      // By physical key too: a Cyrillic layout has another character there.
      const isSlash = event.key === "/" || (event.code === "Slash" && !event.shiftKey);
      if (!isSlash || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      input.current?.focus();
    };
    document.addEventListener("keydown", focus);
    return () => document.removeEventListener("keydown", focus);
  }, []);
  const missing = from - text.trim().length;
  return (
    <label className="search" data-size={size}>
      <svg
        width="16"
        height="16"
        viewBox="0 0 16 16"
        fill="none"
        stroke="currentColor"
        strokeWidth="1.5"
        aria-hidden="true"
      >
        <circle cx="7" cy="7" r="4.5" />
        <path d="m10.5 10.5 3.5 3.5" />
      </svg>
      <span className="visually-hidden">{label}</span>
      <input
        ref={input}
        type="text"
        role="searchbox"
        value={text}
        placeholder={label}
        maxLength={255}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== "Escape") return;
          if (text === "") {
            event.currentTarget.blur();
            return;
          }
          // A dialog around it stays open.
          event.preventDefault();
          setText("");
        }}
      />
      {text !== "" && missing > 0 ? <small>{t("searchMore", { count: missing })}</small> : null}
      {text === "" ? (
        <kbd aria-hidden="true">/</kbd>
      ) : (
        <button
          type="button"
          aria-label={t("clearSearch")}
          onClick={() => {
            setText("");
            input.current?.focus();
          }}
        >
          ✕
        </button>
      )}
    </label>
  );
}

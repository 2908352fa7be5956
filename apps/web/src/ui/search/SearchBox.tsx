import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import "./search.css";

const quietMs = 250;

interface Props {
  /** What can be searched for; shown until something is typed. */
  readonly label: string;
  readonly value: string;
  readonly onSearch: (text: string) => void;
  /** Letters from which on it is searched; the box says how many are missing. */
  readonly from?: number;
}

/** Asks while typing, when the keys have been still for a moment. `/` comes here from anywhere on the page. */
export function SearchBox({ label, value, onSearch, from = 0 }: Props) {
  const { t } = useTranslation("grid");
  const [text, setText] = useState(value);
  const [shown, setShown] = useState(value);
  const input = useRef<HTMLInputElement>(null);
  // The address changed by other means: a reset, Back, a link.
  if (value !== shown) {
    setShown(value);
    setText(value);
  }
  useEffect(() => {
    if (text === value) return undefined;
    const timer = setTimeout(() => {
      setShown(text);
      onSearch(text);
    }, quietMs);
    return () => clearTimeout(timer);
  }, [text, value, onSearch]);
  useEffect(() => {
    const focus = (event: KeyboardEvent) => {
      const isTyping =
        event.target instanceof Element && event.target.closest("input, textarea, select") !== null;
      if (event.key !== "/" || isTyping || event.ctrlKey || event.metaKey) return;
      event.preventDefault();
      input.current?.focus();
    };
    document.addEventListener("keydown", focus);
    return () => document.removeEventListener("keydown", focus);
  }, []);
  const missing = from - text.trim().length;
  return (
    <label className="search">
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
          if (text === "") event.currentTarget.blur();
          else setText("");
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

import { useId, useRef, useState, type KeyboardEvent } from "react";
import { TextField, type TextFieldProps } from "#ui/field";
import { comboboxOf, useSearchWhenQuiet } from "./combobox.ts";
import { Offers, type Picked } from "./Offers.tsx";

interface Props extends TextFieldProps {
  readonly value: string;
  readonly onValue: (value: string) => void;
  /** Suggestions for the last text asked for, best first; may be empty. */
  readonly offered: readonly Picked[];
  /** The user has typed and paused. */
  readonly onSearch: (text: string) => void;
  /** A suggestion is chosen. */
  readonly onTake: (chosen: Picked) => void;
}

/**
 * A text field that suggests values while the user types. Any text may stay; a suggestion is taken only when the user
 * chooses it, and without a choice Enter submits the form.
 */
export function SuggestField({ offered, onSearch, onTake, onValue, ...field }: Props) {
  const { label, value } = field;
  const [isTyped, setTyped] = useState(false);
  const [at, setAt] = useState(-1);
  const list = useId();
  const input = useRef<HTMLInputElement>(null);
  useSearchWhenQuiet(isTyped ? value : null, onSearch);
  const isOpen = isTyped && offered.length > 0;
  const current = Math.min(at, offered.length - 1);
  const close = () => {
    setTyped(false);
    setAt(-1);
  };
  const take = (chosen: Picked | undefined) => {
    if (chosen) onTake(chosen);
    close();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      setTyped(true);
      const count = offered.length + 1;
      // The text itself is the place before the first.
      if (isOpen) setAt(((current + 1 + (event.key === "ArrowDown" ? 1 : count - 1)) % count) - 1);
    }
    if (!isOpen) return;
    if (event.key === "Enter" && current >= 0) {
      event.preventDefault();
      take(offered[current]);
    }
    if (event.key === "Escape") {
      // It closes the list, not the dialog around it.
      event.preventDefault();
      event.stopPropagation();
      close();
    }
  };
  return (
    <>
      <TextField
        {...field}
        ref={input}
        {...comboboxOf({ list, isOpen, current })}
        onValue={(text) => {
          onValue(text);
          setTyped(true);
          setAt(-1);
        }}
        onBlur={close}
        onKeyDown={onKeyDown}
      />
      {isOpen ? (
        <Offers id={list} label={label} field={input} note="" {...{ offered, current }} onTake={take} />
      ) : null}
    </>
  );
}

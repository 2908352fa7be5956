import { useId, useRef, useState, type KeyboardEvent } from "react";
import { Field, type FieldTexts } from "#ui/field";
import { comboboxOf, useSearchWhenQuiet } from "./combobox.ts";
import { Offers, type Picked } from "./Offers.tsx";

export interface PickerTexts extends Omit<FieldTexts, "theirs"> {
  /** Conflicting choice saved by another user; null: none. */
  readonly theirs?: Picked | null | undefined;
}

interface Props extends PickerTexts {
  readonly value: Picked | null;
  readonly onValue: (value: Picked | null) => void;
  /** Matches of the last search, best first. */
  readonly offered: readonly Picked[];
  readonly onSearch: (text: string) => void;
  /** Shown when nothing is offered: that nothing matches, or that it is still loading. */
  readonly note: string;
  readonly placeholder?: string;
  readonly "data-autofocus"?: boolean;
}

/** A text field that searches the server while typing, and takes one of its answers (combobox of ARIA 1.2). */
export function PickerField(props: Props) {
  const { label, hint, error, isRequired, theirs, value, onValue, offered, onSearch, note } = props;
  const [text, setText] = useState<string | null>(null);
  const [at, setAt] = useState(0);
  const isOpen = text !== null;
  const list = useId();
  const input = useRef<HTMLInputElement>(null);
  useSearchWhenQuiet(text, onSearch);
  const current = Math.min(at, offered.length - 1);
  const close = () => {
    setText(null);
    setAt(0);
  };
  const take = (chosen: Picked | undefined) => {
    if (chosen) onValue(chosen);
    close();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      if (!isOpen) setText("");
      else setAt(Math.max(0, Math.min(offered.length - 1, current + (event.key === "ArrowDown" ? 1 : -1))));
    }
    if (!isOpen) return;
    if (event.key === "Enter") {
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
    <Field
      {...{ label, hint, error }}
      theirs={theirs === null ? "" : theirs?.title}
      {...(isRequired ? { isRequired } : {})}
    >
      {(wired) => (
        <span className="input">
          <input
            {...wired}
            ref={input}
            type="text"
            {...comboboxOf({ list, isOpen, current })}
            value={text ?? value?.title ?? ""}
            placeholder={props.placeholder}
            maxLength={255}
            data-autofocus={props["data-autofocus"]}
            onChange={(event) => {
              setText(event.currentTarget.value);
              setAt(0);
              if (event.currentTarget.value === "") onValue(null);
            }}
            onClick={() => setText((before) => before ?? "")}
            onBlur={close}
            onKeyDown={onKeyDown}
          />
          {isOpen ? (
            <Offers id={list} label={label} field={input} {...{ offered, current, note }} onTake={take} />
          ) : null}
        </span>
      )}
    </Field>
  );
}

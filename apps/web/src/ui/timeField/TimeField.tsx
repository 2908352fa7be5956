import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Field, type FieldTexts } from "#ui/field";

/** Parses a typed time into HH:mm: "7", "730" and "7:30" are times; undefined when there is none. */
export function clockTime(text: string): string | undefined {
  const [, hours, minutes = "00"] = /^\s*(\d{1,2}?)[:.]?(\d\d)?\s*$/.exec(text) ?? [];
  if (hours === undefined || Number(hours) > 23 || Number(minutes) > 59) return undefined;
  return `${hours.padStart(2, "0")}:${minutes}`;
}

interface Props extends FieldTexts {
  /** HH:mm, or empty. */
  readonly value: string;
  readonly onValue: (time: string) => void;
  readonly name?: string;
  readonly disabled?: boolean;
}

/** From this length on, a typed time is complete. */
const wholeLength = 5;

/**
 * A time of the 24-hour clock, whatever the language of the browser. Invalid text marks the field and leaves
 * the value unchanged.
 */
export function TimeField({ value, onValue, label, hint, error, isRequired, theirs, ...input }: Props) {
  const { t } = useTranslation("common");
  const [typed, setTyped] = useState<string | null>(null);
  const [isLeft, setLeft] = useState(false);
  const isNoTime = typed !== null && typed.trim() !== "" && clockTime(typed) === undefined;
  const take = (text: string) => {
    const time = text.trim() === "" ? "" : clockTime(text);
    if (time !== undefined && time !== value) onValue(time);
  };
  const leave = () => {
    setLeft(true);
    if (typed === null || isNoTime) return;
    take(typed);
    setTyped(null);
  };
  return (
    <Field
      {...{ label, hint, theirs }}
      error={isNoTime && isLeft ? t("field.noTime") : error}
      {...(isRequired ? { isRequired } : {})}
    >
      {(wired) => (
        <span className="input">
          <input
            {...input}
            {...wired}
            ref={(element) => element?.setCustomValidity(isNoTime ? t("field.noTime") : "")}
            inputMode="numeric"
            autoComplete="off"
            placeholder={t("field.timeForm")}
            value={typed ?? value}
            onChange={({ currentTarget: { value: text } }) => {
              setTyped(text);
              // A part of a time may be another time: "1" of "17:00".
              if (text.trim() === "" || text.trim().length === wholeLength) take(text);
            }}
            onBlur={leave}
            // Enter submits the form without leaving the field.
            onKeyDown={(event) => {
              if (event.key === "Enter") leave();
            }}
          />
        </span>
      )}
    </Field>
  );
}

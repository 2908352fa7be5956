import { Suspense, useState } from "react";
import { lazily } from "#lib/load";
import { useTranslation } from "react-i18next";
import { formatDate, useNow } from "#lib/format";
import { useSession } from "#lib/session";
import { parseDateTime } from "#ui/dateRange";
import { Field, type FieldTexts } from "#ui/field";
import { Icon } from "#ui/icon";
import { Popover } from "#ui/menu";
import "./dateField.css";

/** Parses a typed day into "2026-12-31"; undefined when there is no such day. */
export function dayOf(text: string): string | undefined {
  const at = parseDateTime(text, "UTC");
  return at === undefined ? undefined : isoDay(at, "UTC");
}

const isoDay = (at: number, zone: string) => formatDate(at, zone).split(".").reverse().join("-");

/** "2026-12-31" in display format: 31.12.2026. */
export function dayText(day: string): string {
  return day.split("-").reverse().join(".");
}

interface Props extends FieldTexts {
  /** "2026-12-31", or empty. */
  readonly value: string;
  readonly onValue: (day: string) => void;
}

/** From this length on, a valid date is complete. */
const wholeLength = 10;

/** Loaded when it is opened: most days are typed or left as they are. */
const Calendar = lazily(async () => ({ default: (await import("./Calendar.tsx")).Calendar }));

/**
 * One day, shown and typed as DD.MM.YYYY whatever the language of the browser, or chosen in a calendar.
 * Invalid text marks the field and leaves the value unchanged.
 */
export function DateField({ value, onValue, label, hint, error, isRequired }: Props) {
  const { t } = useTranslation("common");
  const [typed, setTyped] = useState<string | null>(null);
  const [isLeft, setLeft] = useState(false);
  const { zone } = useSession();
  const now = useNow();
  const isNoDay = typed !== null && typed.trim() !== "" && dayOf(typed) === undefined;
  const take = (text: string) => {
    const day = text.trim() === "" ? "" : dayOf(text);
    if (day === undefined) return;
    setTyped(null);
    if (day !== value) onValue(day);
  };
  const wrong = isNoDay && isLeft ? t("field.noDay") : error;
  return (
    <Field label={label} hint={hint} error={wrong} {...(isRequired ? { isRequired } : {})}>
      {(wired) => (
        <span className="input date-field">
          <input
            {...wired}
            ref={(input) => input?.setCustomValidity(isNoDay ? t("field.noDay") : "")}
            type="text"
            autoComplete="off"
            placeholder={t("field.date")}
            maxLength={wholeLength}
            value={typed ?? dayText(value)}
            onChange={({ currentTarget: { value: text } }) => {
              setTyped(text);
              setLeft(false);
              if (text === "" || text.length >= wholeLength) take(text);
            }}
            onBlur={() => {
              setLeft(true);
              if (typed !== null) take(typed);
            }}
            onKeyDown={(event) => {
              if (event.key === "Enter" && typed !== null) take(typed);
            }}
          />
          <Popover
            label={t("field.calendar")}
            align="end"
            className="calendar-popover"
            trigger={(opener) => (
              <button
                {...opener}
                type="button"
                className="input-button"
                aria-label={t("field.calendar")}
                title={t("field.calendar")}
              >
                <Icon name="calendar" />
              </button>
            )}
          >
            {(close) => (
              <Suspense>
                <Calendar
                  value={value}
                  today={isoDay(now, zone)}
                  onDay={(day) => {
                    take(day);
                    close();
                  }}
                />
              </Suspense>
            )}
          </Popover>
        </span>
      )}
    </Field>
  );
}

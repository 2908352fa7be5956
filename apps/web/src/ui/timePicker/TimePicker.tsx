import type { KeyboardEvent } from "react";
import { useTranslation } from "react-i18next";
import { IconButton } from "#ui/button";
import { Field, type FieldTexts } from "#ui/field";
import { Icon } from "#ui/icon";
import { Popover } from "#ui/menu";
import "./timePicker.css";

interface Props extends FieldTexts {
  /** HH:mm, or empty. */
  readonly value: string;
  readonly onValue: (time: string) => void;
  readonly name?: string;
}

const twoDigits = (number: number) => String(number).padStart(2, "0");
const hours = Array.from({ length: 24 }, (_, at) => twoDigits(at));
const minutes = Array.from({ length: 12 }, (_, at) => twoDigits(at * 5));
const columns = 6;

/** Places by which a key moves. */
const steps: Readonly<Record<string, number>> = {
  ArrowLeft: -1,
  ArrowRight: 1,
  ArrowUp: -columns,
  ArrowDown: columns,
};

/** A time of the 24-hour clock that is chosen, not typed: an hour, then five minutes of it. */
export function TimePicker({ value, onValue, label, hint, error, isRequired, name }: Props) {
  const { t } = useTranslation("common");
  const [hour = "", minute = "00"] = value === "" ? [] : value.split(":");
  return (
    <Field {...{ label, hint, error }} {...(isRequired ? { isRequired } : {})}>
      {(wired) => (
        <span className="input time-picker">
          <input {...wired} name={name} readOnly placeholder={t("time.form")} value={value} />
          {value === "" ? null : (
            <IconButton icon="close" label={t("time.clear")} onClick={() => onValue("")} />
          )}
          <Popover
            label={t("time.title")}
            align="end"
            className="time-popover"
            onOpen={(content) =>
              content.querySelector<HTMLElement>("[aria-pressed=true], .time-choice")?.focus()
            }
            trigger={(opener) => (
              <button
                {...opener}
                type="button"
                className="input-button"
                aria-label={t("time.open")}
                title={t("time.open")}
              >
                <Icon name="clock" />
              </button>
            )}
          >
            {(close) => (
              <>
                <Choices
                  title={t("time.hours")}
                  values={hours}
                  chosen={hour}
                  onChoice={(next) => onValue(`${next}:${minute}`)}
                />
                <Choices
                  title={t("time.minutes")}
                  values={minutes}
                  chosen={hour === "" ? "" : minute}
                  onChoice={(next) => {
                    onValue(`${hour === "" ? "00" : hour}:${next}`);
                    close();
                  }}
                />
              </>
            )}
          </Popover>
        </span>
      )}
    </Field>
  );
}

interface ChoicesProps {
  readonly title: string;
  readonly values: readonly string[];
  readonly chosen: string;
  readonly onChoice: (value: string) => void;
}

function Choices({ title, values, chosen, onChoice }: ChoicesProps) {
  const current = values.includes(chosen) ? chosen : values[0];
  return (
    <div role="group" aria-label={title} onKeyDown={moveFocus}>
      <p aria-hidden="true">{title}</p>
      <div className="time-choices">
        {values.map((value) => (
          <button
            key={value}
            type="button"
            className="time-choice"
            tabIndex={value === current ? 0 : -1}
            aria-pressed={value === chosen}
            onClick={() => onChoice(value)}
          >
            {value}
          </button>
        ))}
      </div>
    </div>
  );
}

function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  const step = steps[event.key];
  if (step === undefined) return;
  event.preventDefault();
  const all = [...event.currentTarget.querySelectorAll<HTMLElement>("button")];
  const at = all.findIndex((each) => each === document.activeElement);
  all[at + step]?.focus();
}

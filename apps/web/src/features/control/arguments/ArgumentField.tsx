import { units, type CommandField } from "@metrum/vocabulary";
import { useTranslation } from "react-i18next";
import { useFormat } from "#lib/format";
import { DateField } from "#ui/dateField";
import { Checkbox, NumberField, SelectField, Switch, TextField } from "#ui/field";
import { TimeField } from "#ui/timeField";
import { dateTimeOf, decimalsOf, steppedOf, type Entered } from "./argumentForm.ts";

interface Props {
  readonly field: CommandField;
  readonly value: Entered;
  readonly error: string | undefined;
  readonly onValue: (value: Entered) => void;
}

const textOf = (value: Entered): string => (typeof value === "string" ? value : "");

/** The input of an argument, by its kind. */
export function ArgumentField({ field, value, error, onValue }: Props) {
  const { t } = useTranslation("control");
  const { language, number } = useFormat();
  const shared = { label: field.title[language], error, isRequired: field.isRequired };
  switch (field.kind) {
    case "number":
      return (
        <NumberField
          {...shared}
          name={field.key}
          value={typeof value === "number" ? value : null}
          onValue={(entered) => onValue(entered === null ? null : steppedOf(field, entered))}
          min={field.minimum}
          max={field.maximum}
          decimals={decimalsOf(field)}
          unit={field.unit === "none" ? undefined : units[field.unit][language]}
          hint={t(field.step > 1 ? "spanStep" : "span", {
            from: number(field.minimum),
            to: number(field.maximum),
            step: number(field.step),
          })}
        />
      );
    case "choice":
      return (
        <SelectField
          {...shared}
          name={field.key}
          placeholder={t("choose")}
          options={field.choices.map((each) => ({ value: String(each.value), title: each.title[language] }))}
          value={value === null ? "" : String(value)}
          onValue={(chosen) =>
            onValue(field.choices.find((each) => String(each.value) === chosen)?.value ?? null)
          }
        />
      );
    case "switch":
      return (
        <Switch checked={value === true} onChange={({ currentTarget }) => onValue(currentTarget.checked)}>
          {field.title[language]}
        </Switch>
      );
    case "flags":
      return (
        <fieldset className="control-flags">
          <legend>{field.title[language]}</legend>
          {field.flags.map((title, at) => (
            <Checkbox
              key={title.en}
              checked={(Number(value) & (2 ** at)) !== 0}
              onChange={() => onValue(Number(value) ^ (2 ** at))}
            >
              {title[language]}
            </Checkbox>
          ))}
        </fieldset>
      );
    case "bytes":
      return (
        <TextField
          {...shared}
          name={field.key}
          hint={t("bytes", { count: Math.floor(textOf(value).length / 2) })}
          value={textOf(value)}
          maxLength={field.maximum}
          autoComplete="off"
          spellCheck={false}
          onChange={({ currentTarget }) => onValue(currentTarget.value.replaceAll(/\s/g, ""))}
        />
      );
    case "datetime":
      return <DateTime {...shared} value={textOf(value)} onValue={onValue} />;
    default:
      return null;
  }
}

/** A day, and a time of the 24-hour clock; an empty time is midnight. */
function DateTime(props: {
  readonly label: string;
  readonly error: string | undefined;
  readonly isRequired: boolean;
  readonly value: string;
  readonly onValue: (value: Entered) => void;
}) {
  const { label, error, isRequired, value, onValue } = props;
  const { t } = useTranslation("control");
  const [date = "", clock = ""] = value.split(" ");
  const time = /^\d\d:\d\d/.exec(clock)?.[0] ?? "";
  return (
    <>
      <DateField
        label={label}
        error={error}
        isRequired={isRequired}
        value={date}
        onValue={(day) => onValue(day === "" ? null : dateTimeOf(day, time))}
      />
      <TimeField
        label={t("clock.time")}
        value={time}
        onValue={(next) => {
          if (date !== "") onValue(dateTimeOf(date, next));
        }}
      />
    </>
  );
}

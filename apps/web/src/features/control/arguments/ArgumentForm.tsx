import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useFormat } from "#lib/format";
import { Button } from "#ui/button";
import { SelectField } from "#ui/field";
import { say } from "#ui/snackbar";
import { ArgumentField } from "./ArgumentField.tsx";
import {
  argumentFaults,
  argumentsOf,
  enteredOf,
  pauseOfMode,
  shownFields,
  type Entered,
} from "./argumentForm.ts";
import type { OfferedCommand } from "../offered.ts";
import type { Issue } from "../useIssue.ts";

interface Props {
  readonly offered: OfferedCommand;
  /** Values that the device has told, by argument. */
  readonly known: Readonly<Record<string, unknown>>;
  readonly isDisabled: boolean;
  readonly issue: Issue;
  /** The only form of its card, whose title says what it is. */
  readonly isOnly?: boolean;
  /** The verb of the button. */
  readonly action?: string;
}

/** The arguments of a command, and the button that sends it. */
export function ArgumentForm({ offered, known, isDisabled, issue, isOnly = false, action }: Props) {
  const { command, fields } = offered;
  const { t } = useTranslation(["control", "messages"]);
  const { language } = useFormat();
  const stored = enteredOf(fields, known);
  const [draft, setDraft] = useState<Readonly<Record<string, Entered>>>({});
  const [faults, setFaults] = useState<Readonly<Record<string, string>>>({});
  const [only, setOnly] = useState(fields[0]?.key ?? "");
  const values = { ...stored, ...draft };
  const chosen = command.isOneOnly === true ? fields.filter(({ key }) => key === only) : fields;
  const put = (key: string, value: Entered) => {
    const pause = key === "limit_mode" ? { apv_pause: pauseOfMode(value) } : {};
    setDraft({ ...draft, [key]: value, ...pause });
    if (key in faults) setFaults({});
  };
  const submit = async () => {
    const wrong = argumentFaults(
      command.isOneOnly === true ? chosen.map((field) => ({ ...field, isRequired: true })) : chosen,
      values,
    );
    setFaults(wrong);
    const [first] = Object.values(wrong);
    if (first !== undefined) {
      // An output has a message of its own (GWCTRL-007).
      void say(command.key === "setout" ? "msg_80" : first, {}, "brief");
      return;
    }
    await issue(command, argumentsOf(chosen, values));
    // Confirmed values come back from the device; refused ones give way to the previous ones.
    setDraft({});
  };
  const shown = shownFields(chosen, values);
  return (
    <form
      className="control-arguments"
      data-fields={shown.some(({ kind }) => kind === "datetime") ? 2 : shown.length}
      aria-label={command.title[language]}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      <fieldset disabled={isDisabled}>
        <legend className={isOnly ? "visually-hidden" : undefined}>{command.title[language]}</legend>
        {command.isOneOnly === true ? (
          <SelectField
            label={t("setting")}
            options={fields.map(({ key, title }) => ({ value: key, title: title[language] }))}
            value={only}
            onValue={setOnly}
          />
        ) : null}
        {shown.map((field) => {
          const fault = faults[field.key];
          return (
            <ArgumentField
              key={field.key}
              field={field}
              value={values[field.key] ?? null}
              error={fault === undefined ? undefined : t(`messages:${fault}`)}
              onValue={(value) => put(field.key, value)}
            />
          );
        })}
        <Button type="submit" icon="send">
          {action ?? t(command.changesDevice && command.confirmation ? "setAsked" : "set")}
        </Button>
      </fieldset>
    </form>
  );
}

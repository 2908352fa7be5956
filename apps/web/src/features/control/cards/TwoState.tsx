import type { Choice } from "@metrum/vocabulary";
import { useId, useState } from "react";
import { useTranslation } from "react-i18next";
import { useFormat } from "#lib/format";
import { Segmented } from "#ui/field";
import type { OfferedCommand } from "../offered.ts";
import type { Issue } from "../useIssue.ts";

interface Props {
  readonly offered: OfferedCommand;
  /** What the device has told: 1 on, 0 off; undefined before. */
  readonly known: unknown;
  /** A command is on its way to the device. */
  readonly isOpen: boolean;
  readonly isDisabled: boolean;
  readonly issue: Issue;
}

/**
 * Load or valve: the chosen state is shown at once as awaited, and gives way to what the device has told when
 * the command is cancelled, refused or ended.
 */
export function TwoState({ offered: { command, fields }, known, isOpen, isDisabled, issue }: Props) {
  const { t } = useTranslation("control");
  const { language } = useFormat();
  const name = useId();
  const [awaited, setAwaited] = useState<string | null>(null);
  const [wasOpen, setWasOpen] = useState(isOpen);
  if (isOpen !== wasOpen) {
    setWasOpen(isOpen);
    if (!isOpen) setAwaited(null);
  }
  const told = typeof known === "number" ? String(known) : "";
  const [field] = fields;
  const choices: readonly Choice[] = field?.kind === "choice" ? field.choices : [];
  const choose = async (value: string) => {
    const choice = choices.find((each) => String(each.value) === value);
    if (!field || !choice || value === told) return;
    setAwaited(value);
    const sent = await issue(command, { [field.key]: choice.value });
    if (sent !== "sent") setAwaited(null);
  };
  const shown = choices.find(({ value }) => String(value) === (awaited ?? told));
  return (
    <fieldset className="control-two" disabled={isDisabled} data-awaited={awaited === null ? undefined : ""}>
      <Segmented
        label={command.title[language]}
        name={name}
        options={choices.map(({ value }) => ({
          value: String(value),
          title: t(`state.${command.key}.${String(value)}`),
        }))}
        value={awaited ?? told}
        onValue={(value) => void choose(value)}
      />
      <span role="status">
        {awaited !== null && isDisabled
          ? t("state.awaited", { state: t(`state.${command.key}.${awaited}`) })
          : shown === undefined
            ? t("state.unknown")
            : null}
      </span>
    </fieldset>
  );
}

import { useState } from "react";
import { useFormat } from "#lib/format";
import { Switch } from "#ui/field";
import type { OfferedCommand } from "../offered.ts";
import type { Issue } from "../useIssue.ts";

interface Props {
  readonly offered: OfferedCommand;
  readonly known: unknown;
  readonly isDisabled: boolean;
  readonly issue: Issue;
}

/** A command whose only argument is on or off; returns to the previous state when it is refused. */
export function ToggleCommand({ offered: { command, fields }, known, isDisabled, issue }: Props) {
  const { language } = useFormat();
  const [awaited, setAwaited] = useState<boolean | null>(null);
  const [field] = fields;
  const turn = async (isOn: boolean) => {
    if (!field) return;
    setAwaited(isOn);
    await issue(command, { [field.key]: isOn });
    setAwaited(null);
  };
  return (
    <Switch
      checked={awaited ?? known === true}
      isPending={awaited !== null}
      disabled={isDisabled}
      onChange={({ currentTarget }) => void turn(currentTarget.checked)}
    >
      {command.title[language]}
    </Switch>
  );
}

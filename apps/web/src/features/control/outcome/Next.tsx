import { control, tasks, type DeviceCommand } from "@metrum/contract/headend";
import { commandOf, readManagement } from "@metrum/vocabulary";
import { useTranslation } from "react-i18next";
import { exchange } from "#lib/call";
import { Button } from "#ui/button";
import { change } from "#ui/change";
import type { Issue } from "../useIssue.ts";

interface Props {
  readonly command: DeviceCommand;
  readonly isDisabled: boolean;
  readonly issue: Issue;
}

/**
 * What can be done after a command: a waiting one is cancelled, one that was not carried out is sent again
 * after the same question. An unknown outcome is read back and never sent again.
 */
export function Next({ command, isDisabled, issue }: Props) {
  const { t } = useTranslation("control");
  const { state, key, management } = command;
  if (state === "queued") {
    const body = { device_task_ids: [command.device_task_id] };
    return (
      <Button
        kind="link"
        onClick={() => void change(() => exchange(tasks.cancel, { body }), { refreshed: [control.list] })}
      >
        {t("history.cancel")}
      </Button>
    );
  }
  const act = nextOf(state, key, management);
  if (act === undefined) return null;
  return (
    <Button kind="link" disabled={isDisabled} onClick={() => void issue(act.command, act.given)}>
      {t(act.word)}
    </Button>
  );
}

function nextOf(state: DeviceCommand["state"], key: string, management: DeviceCommand["management"]) {
  if (state === "unknown") {
    const known = commandOf(key);
    const readBack = known?.changesDevice === true ? commandOf(known.readBack ?? "") : undefined;
    return readBack && { command: readBack, given: 1, word: "history.readBack" as const };
  }
  if (state !== "failed" && state !== "expired") return undefined;
  // The time that was to be set has passed.
  if (key === "time_set") return undefined;
  const [again] = readManagement(management).commands;
  return again && { ...again, word: "history.again" as const };
}

import type { DeviceCommand } from "@metrum/contract/headend";
import { useTranslation } from "react-i18next";
import { formatDateTime, formatTime, useFormat } from "#lib/format";
import { useSession } from "#lib/session";
import { StatusGlyph } from "#ui/status";
import { Next } from "./Next.tsx";
import { outcomeKinds } from "./outcomeKinds.ts";
import { saidOf } from "./saidOf.ts";
import { isOpen } from "../useControl.ts";
import type { Issue } from "../useIssue.ts";

interface Props {
  /** The last command of a block. */
  readonly command: DeviceCommand;
  readonly isDisabled: boolean;
  readonly issue: Issue;
}

/** How the last command of a block ended and what to do next; of one under way, when it gives up. */
export function Outcome({ command, isDisabled, issue }: Props) {
  const { t } = useTranslation("control");
  const { zone } = useSession();
  const { language } = useFormat();
  const { state, ended_at, expires_at } = command;
  const said = saidOf(command, language);
  return (
    <p className="control-outcome" role="status" data-state={state}>
      <StatusGlyph kind={outcomeKinds[state]} />
      <span>
        <b>{t(`history.state.${state}`)}</b>
        {said === "" ? null : `, ${said}`}
        {isOpen(command)
          ? `. ${t("history.until", { time: formatTime(expires_at, zone) })} ${t("mayClose")}`
          : ended_at === null
            ? null
            : `, ${formatDateTime(ended_at, zone)}`}
      </span>
      <Next command={command} isDisabled={isDisabled} issue={issue} />
    </p>
  );
}

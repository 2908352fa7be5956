import { control, type DeviceCommand } from "@metrum/contract/headend";
import { commandOf, readManagement } from "@metrum/vocabulary";
import { useTranslation } from "react-i18next";
import { refetch } from "#lib/call";
import { formatDateTime, useFormat } from "#lib/format";
import { useSession } from "#lib/session";
import { Button } from "#ui/button";
import { StatusGlyph } from "#ui/status";
import { detailsOf } from "./details.ts";
import { Next } from "./Next.tsx";
import { outcomeKinds } from "./outcomeKinds.ts";
import { saidOf } from "./saidOf.ts";
import { isOpen as isUnderWay, type Control } from "../useControl.ts";
import type { Issue } from "../useIssue.ts";

interface Props extends Pick<Control, "commands" | "history"> {
  readonly isDisabled: boolean;
  readonly issue: Issue;
}

/** Commands of the device, newest first: who, when, what, and the outcome with what to do next. */
export function History({ commands, history, isDisabled, issue }: Props) {
  const { t } = useTranslation("control");
  return (
    <section className="control-history" aria-label={t("history.title")}>
      <h3>
        {t("history.title")} <a href="#/cloud/devices/tasks">{t("history.all")}</a>
      </h3>
      {history === "error" ? (
        <p className="control-note" role="alert">
          {t("history.failed")}{" "}
          <Button kind="link" onClick={() => void refetch(control.list)}>
            {t("history.retry")}
          </Button>
        </p>
      ) : null}
      {history === "success" && commands.length === 0 ? (
        <p className="control-note">{t("history.none")}</p>
      ) : null}
      <ul>
        {commands.map((each) => (
          <Entry key={each.id} command={each} isDisabled={isDisabled} issue={issue} />
        ))}
      </ul>
    </section>
  );
}

function Entry({
  command,
  isDisabled,
  issue,
}: {
  readonly command: DeviceCommand;
  readonly isDisabled: boolean;
  readonly issue: Issue;
}) {
  const { t } = useTranslation("control");
  const { language } = useFormat();
  const { zone } = useSession();
  const dateTime = (at: number) => formatDateTime(at, zone);
  const known = commandOf(command.key);
  const title = known?.title[language] ?? command.key;
  const [asked] = readManagement(command.management).commands;
  const details = asked ? detailsOf(asked.command, asked.given, language) : "";
  const isOpen = isUnderWay(command);
  const said = saidOf(command, language);
  return (
    <li data-open={isOpen ? "" : undefined}>
      <StatusGlyph kind={outcomeKinds[command.state]} />
      <div>
        <p className="control-history-title">
          <span>
            <b>{title}</b> {details}
          </span>
          <time>{dateTime(command.created_at)}</time>
        </p>
        <p className="control-note">{command.user_name ?? t("history.automatic")}</p>
        <p>
          <b>{t(`history.state.${command.state}`)}</b>
          {said === "" ? null : `, ${said}`}
          {isOpen ? ` ${t("history.until", { time: dateTime(command.expires_at) })}` : null}
        </p>
        <Next command={command} isDisabled={isDisabled} issue={issue} />
      </div>
    </li>
  );
}

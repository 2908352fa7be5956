import { control, tasks, type DeviceCommand } from "@metrum/contract";
import { commandOf, units, type Language } from "@metrum/vocabulary";
import { useTranslation } from "react-i18next";
import { exchange } from "#lib/call";
import { formatDateTime, formatNumber, useFormat } from "#lib/format";
import { useSession } from "#lib/session";
import { Button } from "#ui/button";
import { change } from "#ui/change";
import { StatusGlyph, type StatusKind } from "#ui/status";
import type { Issue } from "./useIssue.ts";

const kinds: Readonly<Record<DeviceCommand["state"], StatusKind>> = {
  queued: "pending",
  sending: "pending",
  done: "ok",
  failed: "alarm",
  expired: "warn",
  cancelled: "off",
  unknown: "off",
};

interface Props {
  readonly commands: readonly DeviceCommand[];
  readonly isDisabled: boolean;
  readonly issue: Issue;
}

/** Commands of the device, newest first: who, when, what, and the outcome with what to do next. */
export function History({ commands, isDisabled, issue }: Props) {
  const { t } = useTranslation("control");
  return (
    <section className="control-history" aria-label={t("history.title")}>
      <h3>
        {t("history.title")} <a href="#/cloud/devices/tasks">{t("history.all")}</a>
      </h3>
      {commands.length === 0 ? <p className="control-note">{t("history.none")}</p> : null}
      <ul>
        {commands.map((each) => (
          <Entry key={each.id} command={each} isDisabled={isDisabled} issue={issue} />
        ))}
      </ul>
    </section>
  );
}

/** The arguments of a command in words: choices and numbers. */
function detailsOf({ key, management }: DeviceCommand, language: Language): string {
  const known = commandOf(key);
  if (known === undefined || "value" in known.arguments) return "";
  const own = management[key];
  const given = typeof own === "object" && own !== null ? own : management;
  return known.arguments
    .flatMap((field) => {
      const value: unknown = Reflect.get(given, field.key);
      if (field.kind === "choice")
        return field.choices.find((each) => each.value === value)?.title[language] ?? [];
      return field.kind === "number" && typeof value === "number"
        ? `${formatNumber(value, language)} ${units[field.unit][language]}`.trim()
        : [];
    })
    .join(", ");
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
  const isOpen = command.state === "queued" || command.state === "sending";
  return (
    <li data-open={isOpen ? "" : undefined}>
      <StatusGlyph kind={kinds[command.state]} />
      <div>
        <p>
          <b>{title}</b> {detailsOf(command, language)} <time>{dateTime(command.created_at)}</time>
        </p>
        <p className="control-note">{command.user_name ?? t("history.automatic")}</p>
        <p>
          <b>{t(`history.state.${command.state}`)}</b>
          {command.message === "" ? null : `, ${command.message}`}
          {isOpen ? ` ${t("history.until", { time: dateTime(command.expires_at) })}` : null}
        </p>
        <Next command={command} isDisabled={isDisabled} issue={issue} />
      </div>
    </li>
  );
}

/** What can be done next: an unknown outcome is read back and never sent again. */
function Next({ command, isDisabled, issue }: Parameters<typeof Entry>[0]) {
  const { t } = useTranslation("control");
  const known = commandOf(command.key);
  if (command.state === "queued") {
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
  const readBack =
    command.state === "unknown" && known?.changesDevice === true && known.readBack !== undefined
      ? commandOf(known.readBack)
      : undefined;
  if (readBack)
    return (
      <Button kind="link" disabled={isDisabled} onClick={() => void issue(readBack, 1)}>
        {t("history.readBack")}
      </Button>
    );
  return null;
}

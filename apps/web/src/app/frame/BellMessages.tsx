import { useEffect, useSyncExternalStore } from "react";
import { useTranslation } from "react-i18next";
import { formatTimeDate } from "#lib/format";
import { useAllowed, useSession } from "#lib/session";
import { Icon } from "#ui/icon";
import { BellWork } from "#tasks";
import { snackHistory } from "#ui/snackbar";
import { StatusGlyph } from "#ui/status";
import { RedText } from "#ui/text";

interface Props {
  readonly hasEvents: boolean;
  readonly close: () => void;
}

/** The last messages of this page, newest first. Showing them marks them as read. */
export function BellMessages({ hasEvents, close }: Props) {
  const { t } = useTranslation("shell");
  const { zone } = useSession();
  const entries = useSyncExternalStore(snackHistory.subscribe, snackHistory.get);
  useEffect(() => snackHistory.markRead(), [entries]);
  const mayReadTasks = useAllowed("4:read");
  return (
    <>
      {mayReadTasks ? <BellWork close={close} /> : null}
      <h2>{t("bell.messages")}</h2>
      {entries.length === 0 ? <p className="bell-empty">{t("bell.none")}</p> : null}
      <ol
        className="bell-list"
        tabIndex={entries.length === 0 ? undefined : 0}
        aria-label={t("bell.messages")}
      >
        {entries.toReversed().map((each) => (
          <li key={each.id} data-kind={each.kind}>
            {each.kind === "error" ? (
              <StatusGlyph kind="alarm" />
            ) : (
              <Icon name={iconOf(each.kind)} size={14} />
            )}
            <span>
              <RedText>{each.text}</RedText>
            </span>
            <time>{formatTimeDate(each.atSec, zone)}</time>
          </li>
        ))}
      </ol>
      {hasEvents ? (
        <a className="menu-item" href="#/cloud/events" onClick={close}>
          <Icon name="events" />
          <span>{t("bell.toEvents")}</span>
        </a>
      ) : null}
    </>
  );
}

const iconOf = (kind: string) => (kind === "event-device" ? "events" : "info");

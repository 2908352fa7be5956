import { Suspense, useSyncExternalStore } from "react";
import { lazily } from "#lib/load";
import { useTranslation } from "react-i18next";
import { useAllowed } from "#lib/session";
import { Icon } from "#ui/icon";
import { Popover } from "#ui/menu";
import { snackHistory } from "#ui/snackbar";
import { Boundary } from "#ui/states";

const Messages = lazily(async () => ({ default: (await import("./BellMessages.tsx")).BellMessages }));

/** Past snackbar messages, for users who may also read events (NOTIF-015). */
export function Bell() {
  const { t } = useTranslation("shell");
  const hasEvents = useAllowed("8:read");
  const unread = useSyncExternalStore(snackHistory.subscribe, snackHistory.unread);
  const label = t("bell.messages");
  return (
    <Popover
      label={label}
      align="end"
      className="bell"
      onOpen={(content) => content.focus()}
      trigger={(props) => (
        <button
          {...props}
          type="button"
          className="button button-quiet shell-bell"
          aria-label={unread === 0 ? label : `${label}, ${t("bell.unread", { count: unread })}`}
          title={label}
        >
          <Icon name={hasEvents ? "events" : "info"} />
          {unread === 0 ? null : (
            <span className="shell-badge" aria-hidden="true">
              {unread > 99 ? "99+" : unread}
            </span>
          )}
        </button>
      )}
    >
      {(close) => (
        <Boundary>
          <Suspense fallback={null}>
            <Messages close={close} hasEvents={hasEvents} />
          </Suspense>
        </Boundary>
      )}
    </Popover>
  );
}

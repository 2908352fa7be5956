import { useSyncExternalStore } from "react";
import { useTranslation } from "react-i18next";
import { formatTime } from "#lib/format";
import { useSession } from "#lib/session";
import { StatusGlyph } from "#ui/status";

let lostAt: number | null = null;

function subscribe(listener: () => void): () => void {
  const change = () => {
    lostAt = navigator.onLine ? null : Math.floor(Date.now() / 1000);
    listener();
  };
  addEventListener("online", change);
  addEventListener("offline", change);
  return () => {
    removeEventListener("online", change);
    removeEventListener("offline", change);
  };
}

/** Says since when nothing new can arrive. */
export function OfflineStrip() {
  const { t } = useTranslation("shell");
  const { zone } = useSession();
  const since = useSyncExternalStore(subscribe, () => lostAt);
  return (
    <div className="shell-strip" role="status">
      {since === null ? null : (
        <>
          <StatusGlyph kind="warn" />
          {t("offline.strip", { time: formatTime(since, zone) })}
        </>
      )}
    </div>
  );
}

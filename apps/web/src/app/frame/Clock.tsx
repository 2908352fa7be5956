import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { formatClock, formatOffset, formatTimeDate } from "#lib/format";
import { Icon } from "#ui/icon";

const everyMs = 1000;

/** The time in the zone of the user, with its UTC offset. */
export function Clock({ zone }: { readonly zone: string }) {
  const { t } = useTranslation("shell");
  const [now, setNow] = useState(() => Date.now() / 1000);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now() / 1000), everyMs);
    return () => clearInterval(timer);
  }, []);
  return (
    <p className="shell-clock" title={`${t("clock")}: ${formatTimeDate(now, zone)}, ${zone}`}>
      <Icon name="clock" />
      <time>{formatClock(now, zone)}</time>
      <span>{formatOffset(now, zone)}</span>
    </p>
  );
}

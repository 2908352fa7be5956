import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import "./progress.css";

/** Appears after 150 ms, so that quick navigation shows nothing; disappears 100 ms after the end. */
export const progressDelaysMs = { show: 150, hide: 100 } as const;

/** A progress bar at the top edge while a route is loading. */
export function RouteProgress({ isPending }: { readonly isPending: boolean }) {
  const { t } = useTranslation("common");
  const [isShown, setShown] = useState(false);
  useEffect(() => {
    const wait = isPending ? progressDelaysMs.show : progressDelaysMs.hide;
    const timer = setTimeout(() => setShown(isPending), wait);
    return () => clearTimeout(timer);
  }, [isPending]);
  return isShown ? <div className="route-progress" role="progressbar" aria-label={t("loading")} /> : null;
}

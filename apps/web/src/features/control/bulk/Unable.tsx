import { deviceHref } from "#lib/screen";
import type { ControlPlan } from "@metrum/contract/headend";
import { useTranslation } from "react-i18next";
import { useFormat } from "#lib/format";

/** Devices that cannot carry out a command, by reason. */
export function Unable({ plan: { unable, unable_count } }: { readonly plan: ControlPlan }) {
  const { t } = useTranslation("bulkControl");
  const { number } = useFormat();
  if (unable_count === 0) return null;
  const left = unable_count - unable.length;
  return (
    <ul
      className="bulk-unable"
      aria-label={t("unable", { count: unable_count, shown: number(unable_count, 0) })}
    >
      {[...new Set(unable.map(({ reason }) => reason))].map((reason) => {
        const own = unable.filter((each) => each.reason === reason);
        return (
          <li key={reason}>
            <details>
              <summary>{t(`reason.${reason}`, { count: own.length, shown: number(own.length, 0) })}</summary>
              <ul>
                {own.map(({ device_id, device_name }) => (
                  <li key={device_id}>
                    <a href={deviceHref(device_id)}>{device_name}</a>
                  </li>
                ))}
              </ul>
            </details>
          </li>
        );
      })}
      {left > 0 ? <li>{t("more", { count: left, shown: number(left, 0) })}</li> : null}
    </ul>
  );
}

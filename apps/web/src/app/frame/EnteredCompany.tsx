import { useTranslation } from "react-i18next";
import { formatTime } from "#lib/format";
import { leaveEntered, useSession } from "#lib/session";
import { Button } from "#ui/button";
import { StatusGlyph } from "#ui/status";
import { ignoreFailure } from "#lib/call";

/** Shows that the user acts as another user: where, since when, as whom, and how to leave. */
export function EnteredCompany({ section }: { readonly section: string }) {
  const { t } = useTranslation("shell");
  const { access, company, zone } = useSession();
  const { entered } = access;
  if (entered === null) return null;
  const time = formatTime(entered.since, zone);
  const how =
    entered.user_name === null
      ? t("entered.since", { time })
      : t("entered.as", { time, name: entered.user_name });
  return (
    <div className="shell-company">
      <div className="shell-entered" role="group" aria-label={t("entered.label")}>
        <StatusGlyph kind="warn" />
        <span className="visually-hidden">{section}</span>
        <span className="shell-entered-words">
          <span className="shell-entered-lead">{t("entered.inside")} </span>
          <strong>{company.name}</strong> <small>{how}</small>
        </span>
        <Button size="small" onClick={() => void leaveEntered().catch(ignoreFailure)}>
          {t("entered.leave")}
        </Button>
      </div>
    </div>
  );
}

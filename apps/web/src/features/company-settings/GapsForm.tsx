import { dividedGapDays } from "@metrum/contract/access";
import { useTranslation } from "react-i18next";
import { formatDate, toLocal, useNow } from "#lib/format";
import { useSession } from "#lib/session";
import { Switch } from "#ui/field";
import { useForm } from "#ui/form";
import { SettingsForm, SettingsRow } from "#ui/settings";
import { companySaved, saveCompany } from "./saveCompany.ts";

/** Whether gaps over an end of a month are divided evenly, from the month in which it is switched on. */
export function GapsForm() {
  const { t } = useTranslation("companySettings");
  const { company } = useSession();
  const now = useNow();
  const { divides_gaps_from } = company.options;
  const form = useForm({
    stored: { divides_gaps_from },
    names: { "options.divides_gaps_from": "divides_gaps_from", options: "divides_gaps_from" },
    send: (values, options) => saveCompany({ options: values }, options),
    onSaved: companySaved,
  });
  const since = form.values.divides_gaps_from;
  return (
    <SettingsForm title={t("gaps.title")} text={t("gaps.text")} form={form}>
      <SettingsRow
        title={t("gaps.divides")}
        text={
          since === null
            ? t("gaps.off", { days: dividedGapDays })
            : t("gaps.since", { date: formatDate(Date.parse(`${since}T12:00:00Z`) / 1000, "UTC") })
        }
      >
        <Switch
          checked={since !== null}
          onChange={(event) =>
            form.set({
              divides_gaps_from: event.currentTarget.checked ? monthStart(now, company.timezone_name) : null,
            })
          }
        >
          <span className="visually-hidden">{t("gaps.divides")}</span>
        </Switch>
      </SettingsRow>
    </SettingsForm>
  );
}

/** The first day of the month that runs in a zone. */
const monthStart = (now: number, zone: string): string =>
  `${new Date(toLocal(now, zone) * 1000).toISOString().slice(0, 7)}-01`;

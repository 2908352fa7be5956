import { accountingPoints } from "@metrum/contract/accounting";
import { useTranslation } from "react-i18next";
import { useCall } from "#lib/call";
import { formatDateTime, formatOffset, useNow } from "#lib/format";
import { useSession } from "#lib/session";
import { useForm } from "#ui/form";
import { SettingsForm } from "#ui/settings";
import { ZoneField } from "#ui/zone";
import { companySaved, saveCompany } from "./saveCompany.ts";

/** The zone for days, months and peak hours of the company. */
export function TimeForm() {
  const { t } = useTranslation("companySettings");
  const { company } = useSession();
  const now = useNow();
  const form = useForm({
    stored: { timezone_name: company.timezone_name },
    send: saveCompany,
    onSaved: companySaved,
  });
  const zone = form.values.timezone_name;
  const isChanged = zone !== company.timezone_name;
  const following = useCall(accountingPoints.following, {}, { isEnabled: isChanged }).data?.points ?? 0;
  return (
    <SettingsForm title={t("section.time")} text={t("time.text")} form={form}>
      <ZoneField
        label={t("time.zone")}
        hint={t("time.now", { time: formatDateTime(now, zone), offset: formatOffset(now, zone) })}
        {...form.field("timezone_name")}
        at={now}
      />
      {isChanged && following > 0 ? <p role="status">{t("time.points", { count: following })}</p> : null}
    </SettingsForm>
  );
}

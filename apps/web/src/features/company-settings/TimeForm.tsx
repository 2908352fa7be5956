import { useTranslation } from "react-i18next";
import { formatDateTime, formatOffset, useNow } from "#lib/format";
import { useSession } from "#lib/session";
import { SettingsForm } from "#ui/settings";
import { ZoneField } from "#ui/zone";
import { useCompanySave } from "./useCompanySave.ts";
import { useDraft } from "./useDraft.ts";

/** The zone in which days, months and peak hours of the company are counted. */
export function TimeForm() {
  const { t } = useTranslation("companySettings");
  const { company } = useSession();
  const now = useNow();
  const { save, isSaving, errorOf } = useCompanySave();
  const form = useDraft({ timezone_name: company.timezone_name });
  const zone = form.draft.timezone_name;
  const submit = async () => {
    if (await save(form.draft)) form.discard();
  };
  return (
    <SettingsForm
      title={t("section.time")}
      text={t("time.text")}
      isDirty={form.isDirty}
      isSaving={isSaving}
      onSave={() => void submit()}
      onDiscard={form.discard}
    >
      <ZoneField
        label={t("time.zone")}
        hint={t("time.now", { time: formatDateTime(now, zone), offset: formatOffset(now, zone) })}
        error={errorOf("timezone_name")}
        value={zone}
        onValue={(chosen) => form.set("timezone_name", chosen)}
        at={now}
      />
    </SettingsForm>
  );
}

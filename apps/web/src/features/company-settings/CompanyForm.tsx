import { companies } from "@metrum/contract";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useCall } from "#lib/call";
import { useSession } from "#lib/session";
import { SelectField, TextField } from "#ui/field";
import { SettingsForm } from "#ui/settings";
import { useCompanySave } from "./useCompanySave.ts";
import { useDraft } from "./useDraft.ts";

/** Name and particulars of the company. */
export function CompanyForm() {
  const { t } = useTranslation("companySettings");
  const { company } = useSession();
  const types = useCall(companies.types, {}, { freshMs: 3_600_000 }).data?.company_types ?? [];
  const { save, isSaving, errorOf } = useCompanySave();
  const { name, company_type_id, inn } = company;
  const form = useDraft({ name, company_type_id, inn, phone_number: company.phone_number ?? "" });
  const { draft, set } = form;
  const [isTried, setTried] = useState(false);
  const isNameless = draft.name.trim() === "";
  const submit = async () => {
    setTried(true);
    if (isNameless) return;
    const phone = draft.phone_number.trim();
    const isSaved = await save({ ...draft, phone_number: phone === "" ? null : phone });
    if (isSaved) form.discard();
  };
  return (
    <SettingsForm
      title={t("section.company")}
      text={t("company.text")}
      isDirty={form.isDirty}
      isSaving={isSaving}
      onSave={() => void submit()}
      onDiscard={form.discard}
    >
      <TextField
        label={t("company.name")}
        isRequired
        error={isTried && isNameless ? t("company.nameNeeded") : errorOf("name")}
        value={draft.name}
        onChange={(event) => set("name", event.currentTarget.value)}
        maxLength={255}
        autoComplete="organization"
      />
      <SelectField
        label={t("company.type")}
        value={String(draft.company_type_id)}
        onChange={(event) => set("company_type_id", Number(event.currentTarget.value))}
        options={types.map(({ id, title }) => ({ value: String(id), title }))}
      />
      <TextField
        label={t("company.inn")}
        error={errorOf("inn")}
        value={draft.inn}
        onChange={(event) => set("inn", event.currentTarget.value)}
        maxLength={20}
        inputMode="numeric"
      />
      <TextField
        label={t("company.phone")}
        error={errorOf("phone_number")}
        value={draft.phone_number}
        onChange={(event) => set("phone_number", event.currentTarget.value)}
        maxLength={20}
        type="tel"
        autoComplete="tel"
      />
    </SettingsForm>
  );
}

import { companies } from "@metrum/contract/access";
import { useTranslation } from "react-i18next";
import { useCall } from "#lib/call";
import { useSession } from "#lib/session";
import { SelectField, TextField } from "#ui/field";
import { useForm } from "#ui/form";
import { PhoneField } from "#ui/phoneField";
import { SettingsForm } from "#ui/settings";
import { companySaved, saveCompany } from "./saveCompany.ts";

/** Name and details of the company. */
export function CompanyForm() {
  const { t } = useTranslation("companySettings");
  const { company } = useSession();
  const types = useCall(companies.types, {}, { freshMs: 3_600_000 }).data?.company_types ?? [];
  const { name, inn, phone_number } = company;
  const form = useForm({
    stored: { name, inn, company_type_id: String(company.company_type_id), phone_number: phone_number ?? "" },
    required: ["name"],
    words: (code) => (code === "required" ? t("company.nameNeeded") : undefined),
    send: (values, options) => {
      const phone = values.phone_number.trim();
      const body = {
        ...values,
        company_type_id: Number(values.company_type_id),
        phone_number: phone || null,
      };
      return saveCompany(body, options);
    },
    onSaved: companySaved,
  });
  return (
    <SettingsForm title={t("section.company")} text={t("company.text")} form={form}>
      <TextField
        label={t("company.name")}
        {...form.field("name")}
        maxLength={255}
        autoComplete="organization"
      />
      <SelectField
        label={t("company.type")}
        {...form.field("company_type_id")}
        options={types.map(({ id, title }) => ({ value: String(id), title }))}
      />
      <TextField label={t("company.inn")} {...form.field("inn")} maxLength={20} inputMode="numeric" />
      <PhoneField label={t("company.phone")} {...form.field("phone_number")} />
    </SettingsForm>
  );
}

import { useTranslation } from "react-i18next";
import { useSession } from "#lib/session";
import { NumberField, Switch } from "#ui/field";
import { useForm } from "#ui/form";
import { SettingsForm, SettingsRow } from "#ui/settings";
import { companySaved, saveCompany } from "./saveCompany.ts";

const shortest = 8;
const longest = 64;

/** Sign-in requirements of the company for its users. */
export function SecurityForm() {
  const { t } = useTranslation("companySettings");
  const { company } = useSession();
  const { two_factor_required, password_min_length } = company.options;
  const form = useForm({
    stored: { two_factor_required, password_min_length },
    names: { "options.two_factor_required": "two_factor_required", options: "password_min_length" },
    send: (values, options) => saveCompany({ options: values }, options),
    onSaved: companySaved,
  });
  return (
    <SettingsForm title={t("section.security")} text={t("security.text")} form={form}>
      <SettingsRow title={t("security.twoFactor")} text={t("security.twoFactorText")}>
        <Switch
          checked={form.values.two_factor_required}
          onChange={(event) => form.set({ two_factor_required: event.currentTarget.checked })}
        >
          <span className="visually-hidden">{t("security.twoFactor")}</span>
        </Switch>
      </SettingsRow>
      <NumberField
        label={t("security.length")}
        hint={t("security.lengthHint", { min: shortest, max: longest })}
        {...form.field("password_min_length")}
        onValue={(value) => form.set({ password_min_length: value ?? shortest })}
        min={shortest}
        max={longest}
        decimals={0}
        unit={t("security.characters")}
      />
    </SettingsForm>
  );
}

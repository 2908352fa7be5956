import { useTranslation } from "react-i18next";
import { useSession } from "#lib/session";
import { NumberField, Switch } from "#ui/field";
import { SettingsForm, SettingsRow } from "#ui/settings";
import { useCompanySave } from "./useCompanySave.ts";
import { useDraft } from "./useDraft.ts";

const shortest = 8;
const longest = 64;

/** What the company demands of the sign-in of its users. */
export function SecurityForm() {
  const { t } = useTranslation("companySettings");
  const { company } = useSession();
  const { save, isSaving, errorOf } = useCompanySave();
  const { two_factor_required, password_min_length } = company.options;
  const form = useDraft({ two_factor_required, password_min_length });
  const { draft, set } = form;
  const submit = async () => {
    if (await save({ options: draft })) form.discard();
  };
  return (
    <SettingsForm
      title={t("section.security")}
      text={t("security.text")}
      isDirty={form.isDirty}
      isSaving={isSaving}
      onSave={() => void submit()}
      onDiscard={form.discard}
    >
      <SettingsRow title={t("security.twoFactor")} text={t("security.twoFactorText")}>
        <Switch
          checked={draft.two_factor_required}
          onChange={(event) => set("two_factor_required", event.currentTarget.checked)}
        >
          <span className="visually-hidden">{t("security.twoFactor")}</span>
        </Switch>
      </SettingsRow>
      <NumberField
        label={t("security.length")}
        hint={t("security.lengthHint", { min: shortest, max: longest })}
        error={errorOf("options")}
        value={draft.password_min_length}
        onValue={(value) => set("password_min_length", value ?? shortest)}
        min={shortest}
        max={longest}
        decimals={0}
        unit={t("security.characters")}
      />
    </SettingsForm>
  );
}

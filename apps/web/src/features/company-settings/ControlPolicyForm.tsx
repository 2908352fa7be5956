import { control } from "@metrum/contract/headend";
import { useTranslation } from "react-i18next";
import { exchange, refetch, useCall } from "#lib/call";
import { Switch } from "#ui/field";
import { useForm } from "#ui/form";
import { AskedSettings, SettingsForm, SettingsRow } from "#ui/settings";

/** Whether commands that change devices of the company ask its users for a second factor again. */
export function ControlPolicyForm() {
  const { t } = useTranslation("companySettings");
  const query = useCall(control.state, {}, { isQuiet: true });
  return (
    <AskedSettings title={t("policy.title")} failed={t("policy.failed")} query={query}>
      {({ asks_second_factor }) => <Form stored={{ asks_second_factor }} />}
    </AskedSettings>
  );
}

function Form({ stored }: { readonly stored: { readonly asks_second_factor: boolean } }) {
  const { t } = useTranslation("companySettings");
  const form = useForm({
    stored,
    send: (body, options) => exchange(control.setPolicy, { body: { ...stored, ...body } }, options),
    onSaved: () => refetch(control.state),
  });
  return (
    <SettingsForm title={t("policy.title")} text={t("policy.text")} form={form}>
      <SettingsRow title={t("policy.asks")} text={t("policy.asksText")}>
        <Switch
          checked={form.values.asks_second_factor}
          onChange={(event) => form.set({ asks_second_factor: event.currentTarget.checked })}
        >
          <span className="visually-hidden">{t("policy.asks")}</span>
        </Switch>
      </SettingsRow>
    </SettingsForm>
  );
}

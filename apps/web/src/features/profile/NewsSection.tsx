import { profile } from "@metrum/contract/access";
import { useTranslation } from "react-i18next";
import { exchange, refetch } from "#lib/call";
import { Switch } from "#ui/field";
import { useForm } from "#ui/form";
import { SettingsSection } from "#ui/settings";

export function NewsSection({ isSubscribed }: { readonly isSubscribed: boolean }) {
  const { t } = useTranslation("profile");
  const { isBusy, submit } = useForm({
    stored: { subscribe: isSubscribed },
    send: (body, options) => exchange(profile.subscribe, { body }, options),
    onSaved: () => refetch(profile.state),
  });
  return (
    <SettingsSection title={t("news.title")} text={t("news.text")}>
      <Switch
        checked={isSubscribed}
        isPending={isBusy}
        onChange={({ currentTarget }) => void submit({ subscribe: currentTarget.checked })}
      >
        {t("news.subscribe")}
      </Switch>
    </SettingsSection>
  );
}

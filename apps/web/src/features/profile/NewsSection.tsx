import { profile } from "@metrum/contract";
import { useTranslation } from "react-i18next";
import { refetch } from "#lib/call";
import { Switch } from "#ui/field";
import { SettingsSection } from "#ui/settings";
import { useSaving } from "./useSaving.ts";

export function NewsSection({ isSubscribed }: { readonly isSubscribed: boolean }) {
  const { t } = useTranslation("profile");
  const { isSaving, send } = useSaving(profile.subscribe, []);
  const turn = async (subscribe: boolean) => {
    if (await send({ body: { subscribe } })) await refetch(profile.state);
  };
  return (
    <SettingsSection title={t("news.title")} text={t("news.text")}>
      <Switch
        checked={isSubscribed}
        isPending={isSaving}
        onChange={({ currentTarget }) => void turn(currentTarget.checked)}
      >
        {t("news.subscribe")}
      </Switch>
    </SettingsSection>
  );
}

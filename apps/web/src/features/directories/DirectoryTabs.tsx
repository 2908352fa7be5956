import { useTranslation } from "react-i18next";
import { Tabs } from "#ui/tabs";
import { tabs } from "./directories.ts";

/** Tabs of the directories, those with a screen of their own included. */
export function DirectoryTabs({ current }: { readonly current: string }) {
  const { t } = useTranslation("directories");
  return (
    <Tabs
      label={t("title")}
      items={tabs.map((each) => ({ ...each, title: t(`tab.${each.id}`) }))}
      current={current}
      onSelect={(id) => {
        location.hash = tabs.find((each) => each.id === id)?.href ?? "";
      }}
    />
  );
}

import { useTranslation } from "react-i18next";
import { buttonClass } from "#ui/button";
import { EmptyState } from "#ui/states";

/** The address is right, its screen comes with a later version. */
export function LaterPage() {
  const { t } = useTranslation("shell");
  return (
    <EmptyState title={t("later.title")} text={t("later.text")}>
      <a className={buttonClass()} href="#/cloud/devices">
        {t("later.devices")}
      </a>
    </EmptyState>
  );
}

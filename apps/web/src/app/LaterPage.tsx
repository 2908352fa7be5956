import { useRouterState } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { buttonClass } from "#ui/button";
import { EmptyState } from "#ui/states";

/** A valid address whose screen is not part of this version. */
export function LaterPage() {
  const { t } = useTranslation("shell");
  const slug = useRouterState({ select: (state) => state.location.pathname.split("/").at(-1) ?? "" });
  const title = t(`menu.${slug}`);
  return (
    <>
      <h1>{title}</h1>
      <EmptyState title={t("later.title")} text={t("later.text")}>
        <a className={buttonClass()} href="#/cloud/devices">
          {t("later.devices")}
        </a>
      </EmptyState>
    </>
  );
}

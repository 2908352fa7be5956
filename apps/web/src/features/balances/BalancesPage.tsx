import { useTranslation } from "react-i18next";
import { DirectoryTabs } from "#directories";
import { useAllowed } from "#lib/session";
import { buttonClass } from "#ui/button";
import { Icon } from "#ui/icon";
import { ListPage, ListView, useList } from "#ui/list";
import { balanceList } from "./balanceList.tsx";
import { newHref } from "./balances.ts";
import "./balances.css";

/** Balance groups with the state of each in the last full month. */
export function BalancesPage() {
  const { t } = useTranslation("balances");
  const mayCreate = useAllowed("6:create");
  const list = useList(balanceList, {
    mayChange: useAllowed("6:update"),
    mayDelete: useAllowed("6:delete"),
  });
  return (
    <ListPage className="balances" title={t("directories")}>
      <DirectoryTabs current="balance" />
      <ListView
        list={list}
        tools={
          mayCreate ? (
            <a className={buttonClass({ kind: "primary" })} href={newHref}>
              <Icon name="plus" />
              <span>{t("add")}</span>
            </a>
          ) : null
        }
        footNote={t("foot")}
      />
    </ListPage>
  );
}

import { useTranslation } from "react-i18next";
import { ObjectTabs } from "#object-tabs";
import { ListPage, ListView, useList } from "#ui/list";
import { periodList } from "./periodList.tsx";
import "./periods.css";

/** Settlement periods: what is closed, what is not, and where later data differ from what is billed. */
export function PeriodsPage() {
  const { t } = useTranslation("periods");
  const list = useList(periodList, {});
  return (
    <ListPage className="periods" title={t("title")} about={t("about")}>
      <ObjectTabs current="periods" />
      <ListView list={list} />
    </ListPage>
  );
}

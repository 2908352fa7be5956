import { useTranslation } from "react-i18next";
import { Breadcrumbs } from "#ui/breadcrumbs";
import { ListPage, ListView, useList } from "#ui/list";
import { periodList } from "./periodList.tsx";

/** Settlement periods: what is closed, what is not, and where later data differ from what is billed. */
export function PeriodsPage() {
  const { t } = useTranslation("periods");
  const list = useList(periodList, {});
  return (
    <ListPage
      title={t("title")}
      about={t("about")}
      path={<Breadcrumbs items={[{ title: t("objects"), href: "#/cloud/objects" }, { title: t("title") }]} />}
    >
      <ListView list={list} />
    </ListPage>
  );
}

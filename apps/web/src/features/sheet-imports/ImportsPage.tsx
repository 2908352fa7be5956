import { sheetKinds } from "@metrum/contract";
import { useTranslation } from "react-i18next";
import { useAllowed } from "#lib/session";
import { Breadcrumbs } from "#ui/breadcrumbs";
import { Segmented } from "#ui/field";
import { ListPage, ListView, useList } from "#ui/list";
import { FileStep } from "./FileStep.tsx";
import { importList } from "./importList.tsx";
import { kindOf, listHrefs } from "./imports.ts";
import { Steps } from "./Steps.tsx";

const none = {};

/** The first step of an import, its file, and the imports of the last days. */
export function ImportsPage() {
  const { t } = useTranslation(["sheetImports", "devices"]);
  const list = useList(importList, none);
  const { address } = list;
  const kind = kindOf(address.state);
  const maySeeObjects = useAllowed("6:create|6:access_all");
  const kinds = sheetKinds.filter((each) => each !== "objects" || maySeeObjects);
  return (
    <ListPage
      className="sheets"
      title={t("title")}
      path={
        <Breadcrumbs
          items={[
            { title: t("devices:title"), href: "#/cloud/devices" },
            { title: t(`kind.${kind}`), href: listHrefs[kind] },
            { title: t("title") },
          ]}
        />
      }
    >
      <Steps current="file" />
      <Segmented
        name="kind"
        label={t("kindLabel")}
        value={kind}
        onValue={(chosen) => address.change({ filters: { kind: [chosen] } })}
        options={kinds.map((value) => ({ value, title: t(`kind.${value}`) }))}
      />
      <FileStep key={kind} kind={kind} />
      <h2 className="sheets-earlier">{t("earlier.title")}</h2>
      <ListView list={list} empty={list.empty} />
    </ListPage>
  );
}

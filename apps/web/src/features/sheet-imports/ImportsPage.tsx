import { sheetKinds, sheetRights } from "@metrum/contract/metering";
import { useTranslation } from "react-i18next";
import { useAllowed } from "#lib/session";
import { Breadcrumbs } from "#ui/breadcrumbs";
import { Segmented } from "#ui/field";
import { ListPage, ListView, useList } from "#ui/list";
import { FileStep } from "./FileStep.tsx";
import { importList } from "./importList.tsx";
import { kindOf, wayTo } from "./imports.ts";
import { Steps } from "./Steps.tsx";

const none = {};

/** The first step of an import, its file, and the imports of the last days. */
export function ImportsPage() {
  const { t } = useTranslation(["sheetImports", "devices"]);
  const list = useList(importList, none);
  const { address } = list;
  const mayBegin = {
    things: useAllowed(sheetRights.devices.begins),
    objects: useAllowed(sheetRights.objects.begins),
  };
  const kinds = sheetKinds.filter((each) => (each === "objects" ? mayBegin.objects : mayBegin.things));
  const asked = kindOf(address.state);
  const kind = kinds.includes(asked) ? asked : (kinds[0] ?? asked);
  return (
    <ListPage
      className="sheets"
      title={t("title")}
      path={<Breadcrumbs items={[...wayTo(kind, t), { title: t("title") }]} />}
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

import { useTranslation } from "react-i18next";
import { Breadcrumbs } from "#ui/breadcrumbs";
import { PlanView } from "./PlanView.tsx";
import { listHref } from "./pollGroups.ts";
import "./pollGroups.css";

const everything = {};

/** The plan of all lines of the company. */
export function PlanPage() {
  const { t } = useTranslation(["pollGroups", "devices"]);
  return (
    <section className="poll-groups group-page">
      <Breadcrumbs
        items={[
          { title: t("devices:title"), href: "#/cloud/devices" },
          { title: t("devices:groups"), href: listHref },
          { title: t("plan.title") },
        ]}
      />
      <h1>{t("plan.title")}</h1>
      <PlanView of={everything} />
    </section>
  );
}

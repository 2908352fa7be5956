import { accountingPoints, type AccountingPoint } from "@metrum/contract/accounting";
import { useParams } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { reasonOf, useCall } from "#lib/call";
import { Breadcrumbs } from "#ui/breadcrumbs";
import { ResourceIcon } from "#ui/icon";
import { Skeleton } from "#ui/skeleton";
import { EmptyState, ErrorState } from "#ui/states";
import "../accountingPoints.css";
import "../history/history.css";
import "../history/lanes.css";
import "./replacement.css";
import { addressText } from "../pointAddress.ts";
import { usePointCrumbs } from "../card/PointHead.tsx";
import { cardHref, listHref, resourceOf } from "../points.ts";
import { ReplaceWizard } from "./ReplaceWizard.tsx";
import { typeTitle } from "../typeTitle.ts";

/** Another meter for a point, in four steps; also on a phone at the meter. */
export function ReplacePage() {
  const { id = "" }: { readonly id?: string } = useParams({ strict: false });
  const { t } = useTranslation(["pointReplacement", "accountingPoints"]);
  const query = useCall(accountingPoints.get, { params: { id } }, { isQuiet: true, freshMs: 60_000 });
  const point = query.data?.accounting_point;
  const crumbs = usePointCrumbs(point);
  if (query.error?.status === 404 || query.error?.status === 422)
    return (
      <EmptyState title={t("accountingPoints:card.missing")}>
        <a href={listHref}>{t("accountingPoints:card.toList")}</a>
      </EmptyState>
    );
  if (query.error && !point)
    return (
      <ErrorState
        title={t("accountingPoints:failed")}
        message={reasonOf(query.error)}
        onRetry={() => void query.refetch()}
      />
    );
  if (!point) return <Skeleton height={480} />;
  return (
    <section className="points-replace">
      <Breadcrumbs items={[...crumbs, { title: point.name, href: cardHref(point) }, { title: t("title") }]} />
      <div className="points-title">
        <h1>{t("title")}</h1>
        <span className="points-tag">{t("accountingPoints:number", { id: point.id })}</span>
        <Place point={point} />
      </div>
      {point.device === null ? (
        <EmptyState title={t("noDevice")}>
          <a href={cardHref(point)}>{t("toCard")}</a>
        </EmptyState>
      ) : (
        <ReplaceWizard key={point.id} point={point} device={point.device} />
      )}
    </section>
  );
}

function Place({ point }: { readonly point: AccountingPoint }) {
  const { t } = useTranslation("accountingPoints");
  const address = addressText(point);
  return (
    <span className="points-place">
      <ResourceIcon resource={resourceOf(point).key} />
      {[typeTitle(point, t), ...(address.includes(point.name) ? [] : [point.name]), address]
        .filter((each) => each !== "—")
        .join(", ")}
    </span>
  );
}

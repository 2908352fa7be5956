import { accountingPoints, type AccountingPoint } from "@metrum/contract/accounting";
import { useParams, useSearch } from "@tanstack/react-router";
import { useEffect } from "react";
import { useTranslation } from "react-i18next";
import { reasonOf, useCall } from "#lib/call";
import { pageTitle } from "#lib/design";
import { ResourceIcon } from "#ui/icon";
import { Skeleton } from "#ui/skeleton";
import { EmptyState, ErrorState } from "#ui/states";
import "../accountingPoints.css";
import "../history/history.css";
import "../history/lanes.css";
import { PointCard } from "./PointCard.tsx";
import { cardHref, listHref, resourceOf } from "../points.ts";

const asks = { isQuiet: true, freshMs: 10_000, everyMs: 60_000 };

/** The card of a point by its id, or by the device that measures it. */
export function PointCardPage() {
  const { deviceId = "" }: { readonly deviceId?: string } = useParams({ strict: false });
  const search: Readonly<Record<string, unknown>> = useSearch({ strict: false });
  const given = search["point_id"];
  const pointId = typeof given === "string" || typeof given === "number" ? String(given) : null;
  return pointId === null ? <ByDevice deviceId={deviceId} /> : <ById id={pointId} />;
}

function ById({ id }: { readonly id: string }) {
  const { t } = useTranslation("accountingPoints");
  const query = useCall(accountingPoints.get, { params: { id } }, asks);
  const point = query.data?.accounting_point;
  useTitle(point?.name);
  if (point) return <PointCard key={point.id} point={point} />;
  // Only a numeric id is requested: for any other (422) there is no point either.
  if (query.error?.status === 404 || query.error?.status === 422) return <Missing text={t("card.missing")} />;
  if (query.error)
    return (
      <ErrorState title={t("failed")} message={reasonOf(query.error)} onRetry={() => void query.refetch()} />
    );
  return <Loading />;
}

/** A device may measure several points with its registers: then one is chosen. */
function ByDevice({ deviceId }: { readonly deviceId: string }) {
  const { t } = useTranslation("accountingPoints");
  const id = Number(deviceId);
  const isId = Number.isInteger(id) && id > 0 && id < 2 ** 31;
  const query = useCall(
    accountingPoints.companyList,
    { body: { measured_by: [id], per_page: 100 } },
    { ...asks, isEnabled: isId },
  );
  const points = query.data?.accounting_points.data;
  if (!isId) return <Missing text={t("card.missing")} />;
  if (query.error && !points)
    return (
      <ErrorState title={t("failed")} message={reasonOf(query.error)} onRetry={() => void query.refetch()} />
    );
  if (!points) return <Loading />;
  const [first, second] = points;
  if (first === undefined) return <Missing text={t("card.noneOfDevice")} />;
  return second === undefined ? <PointCard point={first} /> : <Several points={points} />;
}

function Several({ points }: { readonly points: readonly AccountingPoint[] }) {
  const { t } = useTranslation("accountingPoints");
  return (
    <section className="points-several">
      <h1>{t("card.several")}</h1>
      <ul>
        {points.map((point) => (
          <li key={point.id}>
            <ResourceIcon resource={resourceOf(point).key} />
            <a href={cardHref(point)}>{point.name}</a>
            <small>{t("number", { id: point.id })}</small>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Missing({ text }: { readonly text: string }) {
  const { t } = useTranslation("accountingPoints");
  return (
    <EmptyState title={text}>
      <a href={listHref}>{t("card.toList")}</a>
    </EmptyState>
  );
}

function Loading() {
  return (
    <section className="points-card" aria-busy="true">
      <Skeleton width={260} height={16} />
      <Skeleton width={380} height={24} />
      <Skeleton height={90} />
      <Skeleton height={240} />
    </section>
  );
}

function useTitle(name: string | undefined): void {
  useEffect(() => {
    if (name === undefined) return undefined;
    const before = document.title;
    document.title = pageTitle(name);
    return () => {
      document.title = before;
    };
  }, [name]);
}

import { periods, type SettlementPeriod } from "@metrum/contract/accounting";
import type { ReplyOf } from "@metrum/contract/core";
import { useParams } from "@tanstack/react-router";
import { useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { reasonOf, useCall } from "#lib/call";
import { formatDateTime, useFormat } from "#lib/format";
import { useAllowed, useSession } from "#lib/session";
import { Breadcrumbs } from "#ui/breadcrumbs";
import { Button, buttonClass } from "#ui/button";
import { ListView, useList } from "#ui/list";
import { Skeleton } from "#ui/skeleton";
import { EmptyState, ErrorState } from "#ui/states";
import { Status } from "#ui/status";
import { closeHref, coveredText, listHref, monthTitle, stateKinds } from "./periods.ts";
import { ReasonDialog } from "./ReasonDialog.tsx";
import { Sums } from "./Sums.tsx";
import { totalList } from "./totalList.tsx";
import { Versions } from "./Versions.tsx";
import "./periods.css";

type Opened = ReplyOf<typeof periods.get>;

/** A closed period: its versions side by side, what has changed since, correction and reopening. */
export function PeriodPage() {
  const { id = "" }: { readonly id?: string } = useParams({ strict: false });
  const { t } = useTranslation("periods");
  const [shown, setShown] = useState<{ readonly version?: number; readonly compare: number }>({ compare: 0 });
  const { data, error, refetch } = useCall(
    periods.get,
    { body: { id: Number(id), ...shown, per_page: 10 } },
    { isQuiet: true },
  );
  const isMissing = error?.status === 404 || error?.status === 422;
  return (
    <section className="period-page">
      <Breadcrumbs
        items={[
          { title: t("objects"), href: "#/cloud/objects" },
          { title: t("title"), href: listHref },
          { title: data ? monthTitle(data.period.month, t) : "…" },
        ]}
      />
      {isMissing ? (
        <EmptyState title={t("notFound")} />
      ) : data ? (
        <Card
          opened={data}
          version={shown.version ?? data.period.version}
          compare={shown.compare}
          onShow={(version, compare) => setShown({ version, compare })}
        />
      ) : error ? (
        <ErrorState title={t("failed")} message={reasonOf(error)} onRetry={() => void refetch()} />
      ) : (
        <Skeleton height={400} />
      )}
    </section>
  );
}

interface CardProps {
  readonly opened: Opened;
  readonly version: number;
  /** 0: the totals of now. */
  readonly compare: number;
  readonly onShow: (version: number, compare: number) => void;
}

function Card({ opened, version, compare, onShow }: CardProps) {
  const { period, versions, now, resources } = opened;
  const { t } = useTranslation("periods");
  const id = period.id ?? 0;
  const list = useList(
    useMemo(() => totalList(id, version, compare), [id, version, compare]),
    {},
  );
  return (
    <>
      <header className="period-head">
        <h1>{monthTitle(period.month, t)}</h1>
        <Status kind={stateKinds[period.state]}>{t(`state.${period.state}`)}</Status>
        <Actions period={period} now={now} />
      </header>
      <Facts period={period} />
      <Notices period={period} now={now} />
      <Sums rows={resources} />
      <Versions {...{ versions, version, compare, onShow }} />
      <ListView list={list} />
    </>
  );
}

function Facts({ period }: { readonly period: SettlementPeriod }) {
  const { t } = useTranslation("periods");
  const { number } = useFormat();
  const { zone } = useSession();
  const { summary, closed_at, closed_by } = period;
  const facts = [
    ...(closed_at === null
      ? []
      : [t("closedAt", { at: formatDateTime(closed_at, zone), by: closed_by ?? "—" })]),
    ...(summary === null
      ? []
      : [
          t("points", { count: summary.points, shown: number(summary.points, 0) }),
          t("coveredFact", { covered: coveredText(summary.covered, { number }) }),
          t("lackingFact", { count: summary.lacking, shown: number(summary.lacking, 0) }),
        ]),
  ];
  return <p className="period-facts">{facts.join(" · ")}</p>;
}

function Notices({ period, now }: { readonly period: SettlementPeriod; readonly now: Opened["now"] }) {
  const { t } = useTranslation("periods");
  const { number } = useFormat();
  const { zone } = useSession();
  if (period.state === "reopened")
    return (
      <p className="period-notice" role="status">
        <Status kind="warn">
          {t("reopenedAt", {
            at: formatDateTime(period.reopened_at ?? 0, zone),
            by: period.reopened_by ?? "—",
            reason: period.reopen_reason ?? "",
          })}
        </Status>
      </p>
    );
  return (
    <p className="period-notice" role="status">
      {now.differing === 0 ? (
        <Status kind="ok">{t("sameLong")}</Status>
      ) : (
        <Status kind="warn">
          {t("differingLong", { count: now.differing, shown: number(now.differing, 0) })}
        </Status>
      )}
    </p>
  );
}

type Open = "correct" | "reopen" | null;

function Actions({ period, now }: { readonly period: SettlementPeriod; readonly now: Opened["now"] }) {
  const { t } = useTranslation("periods");
  const mayCorrect = useAllowed("6:update|6:access_all");
  const mayReopen = useAllowed("admin");
  const [open, setOpen] = useState<Open>(null);
  const isClosed = period.state === "closed";
  return (
    <span className="period-head-end">
      {isClosed && mayCorrect && now.differing > 0 ? (
        <Button kind="primary" disabled={now.recomputing > 0} onClick={() => setOpen("correct")}>
          {t("correct.open")}
        </Button>
      ) : null}
      {isClosed && mayReopen ? <Button onClick={() => setOpen("reopen")}>{t("reopen.open")}</Button> : null}
      {!isClosed && mayCorrect ? (
        <a className={buttonClass({ kind: "primary" })} href={closeHref(period.month)}>
          {t("toClose")}
        </a>
      ) : null}
      {open === null ? null : (
        <ReasonDialog
          what={open}
          id={period.id ?? 0}
          digest={now.digest}
          differing={now.differing}
          onClose={() => setOpen(null)}
        />
      )}
    </span>
  );
}

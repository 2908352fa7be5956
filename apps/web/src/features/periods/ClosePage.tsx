import { periods, type PeriodPreview } from "@metrum/contract/accounting";
import { useNavigate, useParams } from "@tanstack/react-router";
import { useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { isPermitted } from "#carriers";
import { ApiError, exchange, reasonOf, refetch, useCall } from "#lib/call";
import { useFormat } from "#lib/format";
import { useAllowed } from "#lib/session";
import { Breadcrumbs } from "#ui/breadcrumbs";
import { Button } from "#ui/button";
import { Checkbox } from "#ui/field";
import { ListView, useList } from "#ui/list";
import { Skeleton } from "#ui/skeleton";
import { snack } from "#ui/snackbar";
import { EmptyState, ErrorState } from "#ui/states";
import { Status } from "#ui/status";
import { incompleteList } from "./incompleteList.tsx";
import {
  coveredText,
  dayTitle,
  exceptionsHref,
  listHref,
  monthTitle,
  refreshed,
  stateKinds,
} from "./periods.ts";
import { Sums } from "./Sums.tsx";
import "./periods.css";

/** What the closing of a month would store, which points lack data, and the closing itself. */
export function ClosePage() {
  const { month = "" }: { readonly month?: string } = useParams({ strict: false });
  const { t } = useTranslation("periods");
  const {
    data,
    error,
    refetch: retry,
  } = useCall(periods.preview, { body: { month, per_page: 10 } }, { isQuiet: true, everyMs: 15_000 });
  const title = /^20\d\d-(0[1-9]|1[0-2])$/.test(month) ? monthTitle(month, t) : "…";
  return (
    <section className="period-page">
      <Breadcrumbs
        items={[
          { title: t("objects"), href: "#/cloud/objects" },
          { title: t("title"), href: listHref },
          { title },
        ]}
      />
      {data ? (
        <Preview title={title} preview={data.preview} />
      ) : error?.status === 422 ? (
        <EmptyState title={t("notFound")} />
      ) : error ? (
        <ErrorState title={t("failed")} message={reasonOf(error)} onRetry={() => void retry()} />
      ) : (
        <Skeleton height={400} />
      )}
    </section>
  );
}

function Preview({ title, preview }: { readonly title: string; readonly preview: PeriodPreview }) {
  const { t } = useTranslation("periods");
  const { number } = useFormat();
  const list = useList(
    useMemo(() => incompleteList(preview.month), [preview.month]),
    {},
  );
  const facts = [
    t("points", { count: preview.points, shown: number(preview.points, 0) }),
    t("coveredFact", { covered: coveredText(preview.covered, { number }) }),
    ...(preview.counted_to < preview.to_day ? [t("countedTo", { day: dayTitle(preview.counted_to) })] : []),
    t("estimatedFact", { count: preview.estimated, shown: number(preview.estimated, 0) }),
  ];
  return (
    <>
      <header className="period-head">
        <h1>{title}</h1>
        <Status kind={stateKinds[preview.state]}>{t(`state.${preview.state}`)}</Status>
      </header>
      <p className="period-facts">{facts.join(" · ")}</p>
      <Exceptions preview={preview} />
      <Sums rows={preview.resources} />
      <Closing preview={preview} />
      <h2>{t("incomplete")}</h2>
      <ListView list={list} />
    </>
  );
}

/** Values that nobody has decided about are billed as they stand. */
function Exceptions({ preview: { exceptions, month } }: { readonly preview: PeriodPreview }) {
  const { t } = useTranslation("periods");
  const { number } = useFormat();
  return (
    <p className="period-notice">
      <Status kind={exceptions === 0 ? "ok" : "warn"}>
        {exceptions === 0 ? (
          t("noExceptions")
        ) : (
          <a href={exceptionsHref(month)}>
            {t("exceptions", { count: exceptions, shown: number(exceptions, 0) })}
          </a>
        )}
      </Status>
    </p>
  );
}

/** Why the month cannot be closed now; null: it can. */
function hindranceOf({
  state,
  points,
  recomputing,
}: PeriodPreview): "running" | "closed" | "noPoints" | "recomputing" | null {
  if (state === "running" || state === "closed") return state;
  if (points === 0) return "noPoints";
  return recomputing > 0 ? "recomputing" : null;
}

function Closing({ preview }: { readonly preview: PeriodPreview }) {
  const { t } = useTranslation("periods");
  const { number } = useFormat();
  const navigate = useNavigate();
  const mayClose = useAllowed("6:update|6:access_all");
  const [accepted, setAccepted] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  const { month, digest, lacking, recomputing } = preview;
  const hindrance = hindranceOf(preview);
  const accepts = accepted === digest;
  const close = async (): Promise<void> => {
    if (!isPermitted(periods.close)) return;
    setBusy(true);
    try {
      const { data, msg } = await exchange(periods.close, {
        body: { month, digest, accepts_incomplete: accepts },
      });
      snack(msg);
      await navigate({ to: `/cloud/objects/periods/${String(data.period.id)}` });
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
    } finally {
      setBusy(false);
      await refetch(...refreshed);
    }
  };
  if (!mayClose) return null;
  if (hindrance !== null)
    return (
      <p className="period-notice" role="status">
        <Status kind={hindrance === "closed" ? "ok" : "pending"}>
          {t(`hindrance.${hindrance}`, { count: recomputing, shown: number(recomputing, 0) })}
        </Status>
      </p>
    );
  return (
    <div className="period-closing">
      {lacking > 0 ? (
        <Checkbox
          checked={accepts}
          onChange={({ currentTarget: { checked } }) => setAccepted(checked ? digest : null)}
        >
          {t("accept", { count: lacking, shown: number(lacking, 0) })}
        </Checkbox>
      ) : null}
      <Button kind="primary" isBusy={isBusy} disabled={lacking > 0 && !accepts} onClick={() => void close()}>
        {t("close")}
      </Button>
      <span className="period-hint">{t("closeHint")}</span>
    </div>
  );
}

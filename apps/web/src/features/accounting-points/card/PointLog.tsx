import type { LogRow } from "@metrum/contract/access";
import { accountingPoints, type AccountingPoint } from "@metrum/contract/accounting";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { reasonOf, useCall } from "#lib/call";
import { formatDateTime } from "#lib/format";
import { useSession } from "#lib/session";
import { Button } from "#ui/button";
import { Skeleton } from "#ui/skeleton";
import { EmptyState, ErrorState } from "#ui/states";
import { Status } from "#ui/status";

const pageRows = 25;

/** Actions of users on a point, newest first. */
export function PointLog({ point }: { readonly point: AccountingPoint }) {
  const { t } = useTranslation("accountingPoints");
  const [page, setPage] = useState(1);
  const query = useCall(
    accountingPoints.logs,
    { params: {}, body: { accounting_point_id: point.id, page, per_page: pageRows } },
    { isQuiet: true, keepsPrevious: true },
  );
  const logs = query.data?.logs;
  return (
    <section className="points-panel" aria-label={t("log.title")}>
      <header>
        <h2>{t("log.title")}</h2>
      </header>
      {query.error && !logs ? (
        <ErrorState
          title={t("failed")}
          message={reasonOf(query.error)}
          onRetry={() => void query.refetch()}
        />
      ) : !logs ? (
        <Skeleton height={200} />
      ) : logs.data.length === 0 ? (
        <EmptyState title={t("log.none")} />
      ) : (
        <Rows rows={logs.data} />
      )}
      {logs && logs.last_page > 1 ? (
        <footer className="points-pages">
          <Button size="small" disabled={page === 1} onClick={() => setPage(page - 1)}>
            {t("log.newer")}
          </Button>
          <span role="status">{t("log.page", { page, last: logs.last_page })}</span>
          <Button size="small" disabled={page === logs.last_page} onClick={() => setPage(page + 1)}>
            {t("log.older")}
          </Button>
        </footer>
      ) : null}
    </section>
  );
}

function Rows({ rows }: { readonly rows: readonly LogRow[] }) {
  const { t } = useTranslation("accountingPoints");
  const { zone } = useSession();
  return (
    <ul className="points-log" aria-label={t("log.title")}>
      {rows.map((row) => (
        <li key={row.id}>
          <span className="quiet">{formatDateTime(row.created_at, zone)}</span>
          <span>{row.user_name ?? "—"}</span>
          {row.result === "ok" ? (
            <b>{row.action_title}</b>
          ) : (
            <Status kind="alarm">
              {row.action_title}: {row.result_text}
            </Status>
          )}
          <Changes before={row.before} after={row.after} />
        </li>
      ))}
    </ul>
  );
}

/** Changed fields by their names, with the values before and after. */
function Changes({ before, after }: Pick<LogRow, "before" | "after">) {
  const [was, is] = [fieldsOf(before), fieldsOf(after)];
  const names = [...new Set([...Object.keys(was), ...Object.keys(is)])];
  if (names.length === 0) return null;
  return (
    <small>
      {names.map((name) => (
        <span key={name}>
          {name}: {name in was ? <del>{textOf(was[name])}</del> : null}{" "}
          {name in is ? <ins>{textOf(is[name])}</ins> : null}
        </span>
      ))}
    </small>
  );
}

const fieldsOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value))
    : {};

const textOf = (value: unknown): string => (typeof value === "string" ? value : JSON.stringify(value));

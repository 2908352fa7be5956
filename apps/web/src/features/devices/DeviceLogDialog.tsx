import type { LogRow } from "@metrum/contract/access";
import { deviceLog } from "@metrum/contract/metering";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { reasonOf, useCall } from "#lib/call";
import { formatDateTime } from "#lib/format";
import { useSession } from "#lib/session";
import { Button } from "#ui/button";
import { Dialog } from "#ui/dialog";
import { Skeleton } from "#ui/skeleton";
import { ErrorState } from "#ui/states";
import { Status } from "#ui/status";
import "./form/deviceForm.css";

interface Props {
  readonly device: { readonly id: number; readonly name?: string | undefined };
  readonly onClose: () => void;
}

const pageRows = 25;

/** Actions of users on a device, newest first. */
export function DeviceLogDialog({ device, onClose }: Props) {
  const { t } = useTranslation("deviceForm");
  const [page, setPage] = useState(1);
  const query = useCall(
    deviceLog.read,
    { body: { device_id: device.id, page, per_page: pageRows } },
    { isQuiet: true, keepsPrevious: true },
  );
  const { data } = query;
  return (
    <Dialog title={`${t("log.title")}: ${device.name ?? ""}`} size={618} onClose={onClose}>
      {query.isError && !data ? (
        <ErrorState
          title={t("failed")}
          message={reasonOf(query.error)}
          onRetry={() => void query.refetch()}
        />
      ) : data === undefined ? (
        <Skeleton height={240} />
      ) : (
        <LogRows rows={data.log} />
      )}
      {data && data.last_page > 1 ? (
        <footer className="device-log-pages">
          <Button size="small" disabled={page === 1} onClick={() => setPage(page - 1)}>
            {t("log.newer")}
          </Button>
          <span role="status">{t("log.page", { page, last: data.last_page })}</span>
          <Button size="small" disabled={page === data.last_page} onClick={() => setPage(page + 1)}>
            {t("log.older")}
          </Button>
        </footer>
      ) : null}
    </Dialog>
  );
}

function LogRows({ rows }: { readonly rows: readonly LogRow[] }) {
  const { t } = useTranslation("deviceForm");
  const { zone } = useSession();
  if (rows.length === 0) return <p role="status">{t("log.none")}</p>;
  return (
    <ul className="device-log" aria-label={t("log.title")}>
      {rows.map((row) => (
        <li key={row.id}>
          <span className="quiet">{formatDateTime(row.created_at, zone)}</span>
          <span>{row.user_name ?? "—"}</span>
          <b>{row.result === "ok" ? row.action_title : <Refused row={row} />}</b>
          <Changes before={row.before} after={row.after} />
        </li>
      ))}
    </ul>
  );
}

/** An action that the server has refused, with the reason. */
function Refused({ row }: { readonly row: LogRow }) {
  return (
    <Status kind="alarm">
      {row.action_title}: {row.result_text}
    </Status>
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

import { services, type ServiceLogRow } from "@metrum/contract";
import { useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { useCall } from "#lib/call";
import { formatDateTime } from "#lib/format";
import { useSession } from "#lib/session";
import { Grid, useQueryProps, type GridColumn } from "#ui/grid";
import { SettingsSection } from "#ui/settings";
import { Status } from "#ui/status";

const rowKey = (row: ServiceLogRow) => String(row.id);

/** What the services of the company did, newest first. */
export function ServiceLog() {
  const { t } = useTranslation("companySettings");
  const { zone } = useSession();
  const [page, setPage] = useState(1);
  const [size, setSize] = useState(25);
  const query = useCall(
    services.companyLog,
    { body: { page, per_page: size } },
    { keepsPrevious: true, isQuiet: true },
  );
  const columns = useMemo(
    (): readonly GridColumn<ServiceLogRow>[] => [
      {
        id: "at",
        title: t("log.at"),
        width: 134,
        value: (row) => formatDateTime(row.created_at, zone),
        cell: (row) => formatDateTime(row.created_at, zone),
      },
      {
        id: "service",
        title: t("services.service"),
        width: 220,
        value: (row) => row.service_title,
        cell: (row) => row.service_title,
      },
      { id: "message", title: t("services.event"), width: 380, value: (row) => row.message, cell: messageOf },
    ],
    [t, zone],
  );
  const rows = query.data?.service_logs;
  return (
    <SettingsSection title={t("section.service-log")} text={t("services.logText")}>
      <Grid
        label={t("section.service-log")}
        columns={columns}
        shown={columns.map(({ id }) => id)}
        rows={rows?.data ?? []}
        rowKey={rowKey}
        {...useQueryProps(query)}
        empty={t("services.logEmpty")}
        phoneRow={(row) => (
          <div className="log-phone">
            {messageOf(row)}
            <span className="quiet">
              {formatDateTime(row.created_at, zone)} · {row.service_title}
            </span>
          </div>
        )}
        paging={{ page, size, total: rows?.total ?? 0, onPage: setPage, onSize: setSize }}
      />
    </SettingsSection>
  );
}

function messageOf({ result, message }: ServiceLogRow) {
  return result === "ok" ? message : <Status kind="alarm">{message}</Status>;
}

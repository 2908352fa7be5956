import { services, type ServiceLogRow } from "@metrum/contract";
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import { useCall } from "#lib/call";
import { formatDateTime } from "#lib/format";
import { useSession } from "#lib/session";
import { useListState, type GridColumn, type GridDefaults } from "#ui/grid";
import { Status } from "#ui/status";
import { ListGrid } from "./ListGrid.tsx";

const defaults: GridDefaults = { sort: null, size: 25, sortFields: [], filters: [] };
const rowKey = (row: ServiceLogRow) => String(row.id);

/** What the services of the provider did, newest first. */
export function ServiceLogSection() {
  const { t } = useTranslation("administration");
  const { zone } = useSession();
  const list = useListState("adminServiceLog", defaults);
  const { page, size } = list.state;
  const input = useMemo(() => ({ body: { page, per_page: size } }), [page, size]);
  const query = useCall(services.companyLog, input, { keepsPrevious: true, isQuiet: true });
  const at = (row: ServiceLogRow) => formatDateTime(row.created_at, zone);
  const result = (row: ServiceLogRow) => (
    <Status kind={row.result === "ok" ? "ok" : "alarm"}>
      {row.result === "ok" ? t("service.done") : row.result}
    </Status>
  );
  const columns: readonly GridColumn<ServiceLogRow>[] = [
    { id: "at", title: t("service.at"), width: 140, isFixed: true, isSticky: true, value: at, cell: at },
    {
      id: "service",
      title: t("service.name"),
      width: 240,
      value: (row) => row.service_title,
      cell: (row) => <b>{row.service_title}</b>,
    },
    { id: "result", title: t("service.result"), width: 160, cell: result },
    {
      id: "message",
      title: t("service.message"),
      width: 320,
      value: (row) => row.message,
      cell: (row) => row.message,
    },
  ];
  const { data } = query;
  return (
    <ListGrid
      list={list}
      label={t("section.service-log")}
      columns={columns}
      rows={data?.service_logs.data}
      total={data?.service_logs.total}
      query={query}
      rowKey={rowKey}
      empty={t("service.noLog")}
      phoneRow={(row) => (
        <span className="administration-phone">
          <b>{row.service_title}</b>
          {result(row)}
          <small>{row.message}</small>
          <small>{at(row)}</small>
        </span>
      )}
    />
  );
}

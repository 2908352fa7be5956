import { services, type ServiceLogRow } from "@metrum/contract/access";
import { useTranslation } from "react-i18next";
import { formatDateTime } from "#lib/format";
import { columnsOf, defineList, ListView, useList } from "#ui/list";
import { SettingsSection } from "#ui/settings";
import { Status } from "#ui/status";

function messageOf({ result, message }: ServiceLogRow) {
  return result === "ok" ? message : <Status kind="alarm">{message}</Status>;
}

const { cell, text, at } = columnsOf<ServiceLogRow>();

const serviceLog = defineList({
  call: services.companyLog,
  texts: ["companySettings"],
  label: "section.service-log",
  empty: "services.logEmpty",
  input: ({ page, size }) => ({ body: { page, per_page: size } }),
  answer: ({ service_logs: { data, total } }) => ({ rows: data, total }),
  rowKey: (row: ServiceLogRow) => String(row.id),
  columns: [
    at("at", 134, (row) => row.created_at, { title: "log.at", align: "left", file: "created_at" }),
    text("service", 220, (row) => row.service_title, { title: "services.service", file: "service_title" }),
    cell(
      "message",
      380,
      { value: (row) => row.message, cell: messageOf },
      { title: "services.event", file: "message" },
    ),
  ],
  phone: (row, { zone }) => (
    <div className="log-phone">
      {messageOf(row)}
      <span className="quiet">
        {formatDateTime(row.created_at, zone)} · {row.service_title}
      </span>
    </div>
  ),
});

/** Log of the company's services, newest first. */
export function ServiceLog() {
  const { t } = useTranslation("companySettings");
  return (
    <SettingsSection title={t("section.service-log")} text={t("services.logText")}>
      <ListView list={useList(serviceLog, {})} />
    </SettingsSection>
  );
}

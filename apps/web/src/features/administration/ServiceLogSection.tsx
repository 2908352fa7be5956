import { services, type ServiceLogRow } from "@metrum/contract/access";
import { formatDateTime } from "#lib/format";
import { columnsOf, defineList, ListView, useList, type Words } from "#ui/list";
import { Status, type StatusKind } from "#ui/status";

function resultOf({ result }: ServiceLogRow, { t }: Words) {
  const kind: StatusKind = result === "ok" ? "ok" : "alarm";
  return { kind, text: result === "ok" ? t("service.done") : result };
}

function PhoneRow({ row, context }: { readonly row: ServiceLogRow; readonly context: Words }) {
  const { kind, text } = resultOf(row, context);
  return (
    <span className="administration-phone">
      <b>{row.service_title}</b>
      <Status kind={kind}>{text}</Status>
      <small>{row.message}</small>
      <small>{formatDateTime(row.created_at, context.zone)}</small>
    </span>
  );
}

const { cell, text, at, status } = columnsOf<ServiceLogRow>();

const serviceLog = defineList({
  call: services.companyLog,
  key: "adminServiceLog",
  texts: ["administration"],
  label: "section.service-log",
  empty: "service.noLog",
  input: ({ page, size }) => ({ body: { page, per_page: size } }),
  answer: ({ service_logs: { data, total } }) => ({ rows: data, total }),
  rowKey: (row: ServiceLogRow) => String(row.id),
  columns: [
    at("at", 140, (row) => row.created_at, { title: "service.at", align: "left", file: "created_at" }),
    cell(
      "service",
      240,
      { value: (row) => row.service_title, cell: (row) => <b>{row.service_title}</b> },
      { title: "service.name", file: "service_title" },
    ),
    status("result", 160, resultOf, {
      title: "service.result",
      file: { of: "result", words: ({ t }) => ({ ok: t("service.done") }) },
    }),
    text("message", 320, (row) => row.message, { title: "service.message", file: "message" }),
  ],
  phone: (row, context) => <PhoneRow row={row} context={context} />,
});

/** Log of the provider's services, newest first. */
export function ServiceLogSection() {
  return <ListView list={useList(serviceLog, {})} />;
}

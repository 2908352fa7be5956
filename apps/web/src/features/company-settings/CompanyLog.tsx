import { auditLog, type LogRow } from "@metrum/contract/access";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { formatDateTime } from "#lib/format";
import { parseDateTime } from "#ui/dateRange";
import { choice, columnsOf, defineList, ListView, period, useList } from "#ui/list";
import { SettingsSection } from "#ui/settings";
import { Status } from "#ui/status";
import { changesOf } from "./changes.ts";
import { logInput } from "./log.ts";

/** Actions and people of the log, from its answers. */
interface Known {
  readonly actions: readonly { readonly action: string; readonly title: string }[];
  readonly users: readonly { readonly id: number; readonly name: string }[];
}

const { cell, text, at } = columnsOf<LogRow, Known>();

const companyLog = defineList({
  call: auditLog.log,
  texts: ["companySettings"],
  label: "section.log",
  empty: "log.empty",
  input: (state, zone) => ({ body: logInput(state, (day, edge) => parseDateTime(day, zone, edge)) }),
  answer: ({ log, total }) => ({ rows: log, total }),
  rowKey: (row: LogRow) => String(row.id),
  filters: [
    choice<Known>("action", {
      label: "log.action",
      any: "log.anyAction",
      options: ({ actions }) => actions.map(({ action, title }) => ({ value: action, title })),
    }),
    choice<Known>("person", {
      label: "log.who",
      any: "log.anyone",
      options: ({ users }) => users.map(({ id, name }) => ({ value: String(id), title: name })),
    }),
    period({ from: "log.from", to: "log.to" }),
  ],
  hasLabels: true,
  columns: [
    at("at", 134, (row) => row.created_at, { title: "log.at", align: "left", file: "created_at" }),
    cell(
      "who",
      210,
      { value: (row) => row.user_name, cell: (row) => <Who row={row} /> },
      { title: "log.who", file: { of: ["user_name"] } },
    ),
    cell(
      "action",
      250,
      { value: (row) => row.action_title, cell: (row) => <What row={row} /> },
      { title: "log.action", file: [{ of: "action_title" }, { of: "result_text", title: "log.result" }] },
    ),
    text("ip", 130, (row) => row.ip_address, { title: "log.address", isQuiet: true, file: "ip_address" }),
  ],
  expand: (row) => <Details row={row} />,
  phone: (row, { zone }) => <PhoneRow row={row} zone={zone} />,
});

const nothing: Known = { actions: [], users: [] };

/** Audit log of the company, newest first. A row expands to its changes. */
export function CompanyLog() {
  const { t } = useTranslation("companySettings");
  const [known, setKnown] = useState(nothing);
  const list = useList(companyLog, known);
  const { data } = list.query;
  if (data !== undefined && data.actions !== known.actions)
    setKnown({ actions: data.actions, users: data.users });
  return (
    <SettingsSection title={t("section.log")} text={t("log.text")}>
      <ListView list={list} />
    </SettingsSection>
  );
}

/** The user, and the represented user if they differ. */
function Who({ row }: { readonly row: LogRow }) {
  const { t } = useTranslation("companySettings");
  const name = row.user_name ?? t("log.nobody");
  const isFor = row.staff_name !== null && row.staff_name !== row.user_name;
  return (
    <span className="log-who">
      {isFor ? t("log.inNameOf", { staff: row.staff_name, name }) : name}
      {row.user_company === null && !row.entered_from_admin ? null : (
        <small>{row.entered_from_admin ? t("log.provider") : row.user_company}</small>
      )}
    </span>
  );
}

function What({ row }: { readonly row: LogRow }) {
  if (row.result === "ok") return row.action_title;
  return (
    <Status kind="alarm">
      {row.action_title}: {row.result_text}
    </Status>
  );
}

function PhoneRow({ row, zone }: { readonly row: LogRow; readonly zone: string }) {
  return (
    <details className="log-phone">
      <summary>
        <What row={row} />
        <span className="quiet">
          {formatDateTime(row.created_at, zone)} · <Who row={row} />
        </span>
      </summary>
      <Details row={row} />
    </details>
  );
}

/** Value before and after the change. */
function Details({ row }: { readonly row: LogRow }) {
  const { t } = useTranslation("companySettings");
  const changes = changesOf(row.before, row.after);
  const object = row.object_type === null ? null : `${row.object_type} ${row.object_id ?? ""}`;
  return (
    <div className="log-details">
      <p>
        {object === null ? t("log.noObject") : t("log.object", { object })}
        {row.api_token === null ? null : ` · ${t("log.token", { name: row.api_token })}`}
      </p>
      {changes.length === 0 ? null : (
        <table>
          <thead>
            <tr>
              <th scope="col">{t("log.field")}</th>
              <th scope="col">{t("log.before")}</th>
              <th scope="col">{t("log.after")}</th>
            </tr>
          </thead>
          <tbody>
            {changes.map(({ field, before, after }) => (
              <tr key={field}>
                <th scope="row">{field}</th>
                <td>{before === undefined ? "—" : <del>{before}</del>}</td>
                <td>{after === undefined ? "—" : <ins>{after}</ins>}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </div>
  );
}

import { auditLog, type LogRow } from "@metrum/contract";
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import { useCall } from "#lib/call";
import { formatDateTime } from "#lib/format";
import { useSession } from "#lib/session";
import { parseDateTime } from "#ui/dateRange";
import { DateField } from "#ui/dateField";
import { SelectField } from "#ui/field";
import { Grid, useListState, useListProps, type GridColumn } from "#ui/grid";
import { SettingsSection } from "#ui/settings";
import { Status } from "#ui/status";
import { changesOf } from "./changes.ts";
import { logDefaults, logInput } from "./log.ts";

const rowKey = (row: LogRow) => String(row.id);

/** What was done in the company and to it, newest first. A line opens to what it changed. */
export function CompanyLog() {
  const { t } = useTranslation("companySettings");
  const { zone } = useSession();
  const list = useListState(undefined, logDefaults);
  const { state, change } = list;
  const input = useMemo(
    () => ({
      body: logInput(state, (text, edge) => parseDateTime(text, zone, edge)),
    }),
    [state, zone],
  );
  const query = useCall(auditLog.log, input, { keepsPrevious: true, isQuiet: true });
  const set = (id: string, value: string) =>
    change({ filters: { ...state.filters, [id]: value === "" ? [] : [value] } });
  const value = (id: string) => state.filters[id]?.[0] ?? "";
  const columns = useLogColumns(zone);
  const { data } = query;
  return (
    <SettingsSection title={t("section.log")} text={t("log.text")}>
      <div className="log-filters">
        <SelectField
          label={t("log.action")}
          placeholder={t("log.anyAction")}
          value={value("action")}
          onChange={(event) => set("action", event.currentTarget.value)}
          options={(data?.actions ?? []).map(({ action, title }) => ({ value: action, title }))}
        />
        <SelectField
          label={t("log.who")}
          placeholder={t("log.anyone")}
          value={value("person")}
          onChange={(event) => set("person", event.currentTarget.value)}
          options={(data?.users ?? []).map(({ id, name }) => ({ value: String(id), title: name }))}
        />
        {(["from", "to"] as const).map((edge) => (
          <DateField
            key={edge}
            label={t(`log.${edge}`)}
            value={value(edge)}
            onValue={(day) => set(edge, day)}
          />
        ))}
      </div>
      <Grid
        label={t("section.log")}
        columns={columns}
        shown={columns.map(({ id }) => id)}
        rows={data?.log ?? []}
        rowKey={rowKey}
        {...useListProps(list, query, data?.total)}
        empty={t("log.empty")}
        expand={(row) => <Details row={row} />}
        phoneRow={(row) => <PhoneRow row={row} zone={zone} />}
      />
    </SettingsSection>
  );
}

function useLogColumns(zone: string): readonly GridColumn<LogRow>[] {
  const { t } = useTranslation("companySettings");
  return useMemo(
    () => [
      {
        id: "at",
        title: t("log.at"),
        width: 134,
        value: (row) => formatDateTime(row.created_at, zone),
        cell: (row) => formatDateTime(row.created_at, zone),
      },
      {
        id: "who",
        title: t("log.who"),
        width: 210,
        value: (row) => row.user_name,
        cell: (row) => <Who row={row} />,
      },
      {
        id: "action",
        title: t("log.action"),
        width: 250,
        value: (row) => row.action_title,
        cell: (row) => <What row={row} />,
      },
      {
        id: "ip",
        title: t("log.address"),
        width: 130,
        value: (row) => row.ip_address,
        cell: (row) => <span className="quiet">{row.ip_address ?? "—"}</span>,
      },
    ],
    [t, zone],
  );
}

/** Who did it, and in whose name when they were two. */
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

/** What stood there before and what stands there since. */
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

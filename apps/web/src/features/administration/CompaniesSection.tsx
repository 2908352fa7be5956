import { administration, companies, type CompanyInTree } from "@metrum/contract";
import { useCallback, useMemo } from "react";
import { useTranslation } from "react-i18next";
import { useCall } from "#lib/call";
import { formatDate, useFormat } from "#lib/format";
import { useSession } from "#lib/session";
import { useListState, type GridColumn, type GridDefaults } from "#ui/grid";
import { SearchBox } from "#ui/search";
import { Status, type StatusKind } from "#ui/status";
import { designAddress } from "./designAddress.ts";
import { EnterButton } from "./EnterButton.tsx";
import { useEntering } from "./enterVia.ts";
import { ListGrid } from "./ListGrid.tsx";
import { pageOf } from "./pageOf.ts";

const defaults: GridDefaults = {
  sort: { field: "name", desc: false },
  size: 25,
  sortFields: ["name", "expires_at"],
  filters: [],
};
const rowKey = (row: CompanyInTree) => String(row.id);

type State = "on" | "off" | "expired" | "deleted";
const kinds: Readonly<Record<State, StatusKind>> = { on: "ok", off: "off", expired: "alarm", deleted: "off" };

function stateOf(row: CompanyInTree, nowSec: number): State {
  if (row.deleted_at !== null) return "deleted";
  if (!row.is_active) return "off";
  return row.expires_at !== null && row.expires_at <= nowSec ? "expired" : "on";
}

/** Every company of the platform, each with the way in. */
export function CompaniesSection() {
  const { t } = useTranslation("administration");
  const { number } = useFormat();
  const { zone, company } = useSession();
  const list = useListState("adminCompanies", defaults);
  const { state, change } = list;
  const sortField = state.sort?.field === "expires_at" ? ("expires_at" as const) : ("name" as const);
  const input = useMemo(() => ({ body: { ...pageOf(state), sort_field: sortField } }), [state, sortField]);
  const query = useCall(companies.list, input, { keepsPrevious: true, isQuiet: true });
  const { enteringId, enter } = useEntering(administration.enterCompany);
  const nowSec = Date.now() / 1000;
  const ending = (row: CompanyInTree) => (row.expires_at === null ? "—" : formatDate(row.expires_at, zone));
  const buttons = (row: CompanyInTree) => (
    <span className="administration-buttons">
      {row.deleted_at === null ? (
        <a
          className="button button-secondary button-small"
          href={`#${designAddress(row.id)}`}
          aria-label={t("company.designOf", { name: row.name })}
        >
          {t("company.design")}
        </a>
      ) : null}
      <EnterButton
        name={row.name}
        isBusy={enteringId === row.id}
        isClosed={row.id === company.id || stateOf(row, nowSec) !== "on" || enteringId !== null}
        onEnter={() => enter(row.id)}
      />
    </span>
  );
  const status = (row: CompanyInTree) => {
    const now = stateOf(row, nowSec);
    return <Status kind={kinds[now]}>{t(`company.${now}`)}</Status>;
  };
  const columns: readonly GridColumn<CompanyInTree>[] = [
    {
      id: "name",
      title: t("company.name"),
      width: 220,
      sortField: "name",
      isFixed: true,
      isSticky: true,
      value: (row) => row.name,
      cell: (row) => <b>{row.name}</b>,
    },
    {
      id: "id",
      title: t("company.id"),
      width: 84,
      align: "right",
      value: (row) => row.id,
      cell: (row) => row.id,
    },
    { id: "state", title: t("company.state"), width: 140, cell: status },
    {
      id: "devices",
      title: t("company.devices"),
      width: 100,
      align: "right",
      value: (row) => row.device_count,
      cell: (row) => number(row.device_count, 0),
    },
    {
      id: "users",
      title: t("company.users"),
      width: 100,
      align: "right",
      value: (row) => row.user_count,
      cell: (row) => number(row.user_count, 0),
    },
    {
      id: "expires_at",
      title: t("company.ends"),
      width: 112,
      align: "right",
      sortField: "expires_at",
      value: ending,
      cell: ending,
    },
    { id: "enter", title: t("company.actions"), width: 180, align: "right", cell: buttons },
  ];
  const { data } = query;
  return (
    <>
      <div className="administration-bar">
        <SearchBox
          label={t("company.search")}
          value={state.q}
          onSearch={useCallback((q: string) => change({ q }), [change])}
        />
      </div>
      <ListGrid
        list={list}
        label={t("section.companies")}
        columns={columns}
        rows={data?.companies.data}
        total={data?.companies.total}
        query={query}
        rowKey={rowKey}
        empty={t("company.empty")}
        phoneRow={(row) => (
          <span className="administration-phone administration-company">
            <b>{row.name}</b>
            {status(row)}
            <small>
              {t("company.counts", {
                devices: number(row.device_count, 0),
                users: number(row.user_count, 0),
              })}
            </small>
            {buttons(row)}
          </span>
        )}
      />
    </>
  );
}

import { administration, platformUserSortFields, type PlatformUser } from "@metrum/contract";
import { useCallback, useMemo } from "react";
import { useTranslation } from "react-i18next";
import { useCall } from "#lib/call";
import { formatDateTime } from "#lib/format";
import { useSession } from "#lib/session";
import { useListState, type GridColumn, type GridDefaults } from "#ui/grid";
import { SearchBox } from "#ui/search";
import { Status } from "#ui/status";
import { EnterButton } from "./EnterButton.tsx";
import { useEntering } from "./enterVia.ts";
import { ListGrid } from "./ListGrid.tsx";
import { pageOf } from "./pageOf.ts";

const defaults: GridDefaults = {
  sort: { field: "name", desc: false },
  size: 25,
  sortFields: platformUserSortFields,
  filters: [],
};
const rowKey = (row: PlatformUser) => String(row.id);

/** Users of every company, each with the way into the account. */
export function UsersSection() {
  const { t } = useTranslation("administration");
  const { zone } = useSession();
  const list = useListState("adminUsers", defaults);
  const { state, change } = list;
  const input = useMemo(() => {
    const sort_field = platformUserSortFields.find((each) => each === state.sort?.field);
    return { body: { ...pageOf(state), ...(sort_field ? { sort_field } : {}) } };
  }, [state]);
  const query = useCall(administration.users, input, { keepsPrevious: true, isQuiet: true });
  const { enteringId, enter } = useEntering(administration.enterUser);
  const button = (row: PlatformUser) => (
    <EnterButton
      name={row.name}
      isBusy={enteringId === row.id}
      isClosed={!row.can_enter || enteringId !== null}
      onEnter={() => enter(row.id)}
    />
  );
  const status = ({ is_active, is_admin }: PlatformUser) => (
    <Status kind={is_active ? "ok" : "off"}>
      {t(is_active ? (is_admin ? "user.admin" : "user.on") : "user.off")}
    </Status>
  );
  const signedIn = (row: PlatformUser) =>
    row.last_sign_in_at === null ? "—" : formatDateTime(row.last_sign_in_at, zone);
  const columns: readonly GridColumn<PlatformUser>[] = [
    {
      id: "name",
      title: t("user.name"),
      width: 150,
      sortField: "name",
      isFixed: true,
      isSticky: true,
      value: (row) => row.name,
      cell: (row) => <b>{row.name}</b>,
    },
    {
      id: "email",
      title: t("user.email"),
      width: 205,
      sortField: "email",
      value: (row) => row.email,
      cell: (row) => row.email,
    },
    {
      id: "company",
      title: t("user.company"),
      width: 190,
      sortField: "company_name",
      value: (row) => row.company_name,
      cell: (row) => row.company_name,
    },
    { id: "state", title: t("user.state"), width: 130, cell: status },
    {
      id: "last_sign_in",
      title: t("user.lastSignIn"),
      width: 132,
      align: "right",
      sortField: "last_sign_in_at",
      value: signedIn,
      cell: signedIn,
    },
    { id: "enter", title: t("enter.column"), width: 101, align: "right", cell: button },
  ];
  const { data } = query;
  return (
    <>
      <div className="administration-bar">
        <SearchBox
          label={t("user.search")}
          value={state.q}
          onSearch={useCallback((q: string) => change({ q }), [change])}
        />
      </div>
      <ListGrid
        list={list}
        label={t("section.users")}
        columns={columns}
        rows={data?.users.data}
        total={data?.users.total}
        query={query}
        rowKey={rowKey}
        rowClass={(row) => (row.is_active ? "" : "is-off")}
        empty={t("user.empty")}
        phoneRow={(row) => (
          <span className="administration-phone">
            <b>{row.name}</b>
            {status(row)}
            <small>{row.company_name}</small>
            {button(row)}
          </span>
        )}
      />
    </>
  );
}

import { bridge, modelClasses, transparentSortFields, type TransparentPort } from "@metrum/contract";
import { useCallback, useMemo } from "react";
import { useTranslation } from "react-i18next";
import { exchange, refetch, useCall } from "#lib/call";
import { formatDateTime, useFormat } from "#lib/format";
import { useSession } from "#lib/session";
import { IconButton } from "#ui/button";
import { confirm } from "#ui/dialog";
import { Switch } from "#ui/field";
import { useListState, type GridColumn, type GridDefaults } from "#ui/grid";
import { SearchBox } from "#ui/search";
import { snack } from "#ui/snackbar";
import { Status } from "#ui/status";
import { ListGrid } from "./ListGrid.tsx";
import { pageOf } from "./pageOf.ts";

const defaults: GridDefaults = {
  sort: null,
  size: 25,
  sortFields: [...transparentSortFields],
  filters: ["state"],
};
const rowKey = (row: TransparentPort) => String(row.id);
const open = "open";

/** Transparent ports of every company: what is open to which line, and what was. */
export function TransparentSection() {
  const { t } = useTranslation("administration");
  const list = useListState("adminTransparent", defaults);
  const { state, change } = list;
  const isOpenOnly = state.filters["state"]?.[0] === open;
  const field = transparentSortFields.find((each) => each === state.sort?.field);
  const input = useMemo(
    () => ({
      body: {
        ...pageOf(state),
        ...(field ? { sort_field: field } : {}),
        ...(isOpenOnly ? { is_active: true } : {}),
      },
    }),
    [state, field, isOpenOnly],
  );
  const query = useCall(bridge.list, input, { keepsPrevious: true, isQuiet: true });
  const columns = useColumns();
  const { data } = query;
  return (
    <>
      <div className="administration-bar">
        <SearchBox
          label={t("bridge.search")}
          value={state.q}
          onSearch={useCallback((q: string) => change({ q }), [change])}
        />
        <Switch
          checked={isOpenOnly}
          onChange={({ currentTarget: { checked } }) => change({ filters: checked ? { state: [open] } : {} })}
        >
          {t("bridge.only")}
        </Switch>
      </div>
      <ListGrid
        list={list}
        label={t("section.transparent")}
        columns={columns}
        rows={data?.data}
        total={data?.total}
        query={query}
        rowKey={rowKey}
        empty={t("bridge.empty")}
        phoneRow={(row) => (
          <span className="administration-phone administration-port">
            <b>{row.name}</b>
            <PortState row={row} />
            <small>{row.company_name}</small>
            <small>{`${String(row.port ?? "—")} · ${row.address}`}</small>
            <CloseButton row={row} />
          </span>
        )}
      />
    </>
  );
}

function useColumns(): readonly GridColumn<TransparentPort>[] {
  const { t } = useTranslation("administration");
  const { zone } = useSession();
  const { number } = useFormat();
  const kind = (row: TransparentPort) =>
    row.model_class_id === modelClasses.gateway ? ` (${t("bridge.gateway")})` : "";
  const until = (row: TransparentPort) => formatDateTime(row.ends_at, zone);
  const bytes = (row: TransparentPort) => `${number(row.bytes_sent, 0)} / ${number(row.bytes_received, 0)}`;
  const text = (id: string, width: number, value: (row: TransparentPort) => string) => ({
    id,
    title: t(`bridge.${id}`),
    width,
    value,
    cell: value,
  });
  return [
    {
      ...text("name", 180, (row) => `${row.name}${kind(row)}`),
      sortField: "name",
      isFixed: true,
      isSticky: true,
      cell: (row) => (
        <>
          <b>{row.name}</b>
          {kind(row)}
        </>
      ),
    },
    {
      id: "state",
      title: t("bridge.state"),
      width: 200,
      value: (row) => (row.end === null ? t("bridge.open") : t(`bridge.end.${row.end}`)),
      cell: (row) => <PortState row={row} />,
    },
    {
      id: "actions",
      title: t("bridge.actions"),
      width: 90,
      align: "right",
      cell: (row) => <CloseButton row={row} />,
    },
    { ...text("port", 70, (row) => String(row.port ?? "—")), align: "right" },
    { ...text("until", 130, until), align: "right" },
    { ...text("bytes", 170, bytes), align: "right" },
    text("address", 120, (row) => row.address),
    text("company", 180, (row) => row.company_name),
    text("user", 160, (row) => row.user_name),
  ];
}

function PortState({ row }: { readonly row: TransparentPort }) {
  const { t } = useTranslation("administration");
  if (row.is_active) return <Status kind="ok">{t("bridge.open")}</Status>;
  return <Status kind="off">{row.end === null ? t("bridge.closed") : t(`bridge.end.${row.end}`)}</Status>;
}

function CloseButton({ row }: { readonly row: TransparentPort }) {
  const { t } = useTranslation("administration");
  if (!row.is_active) return null;
  const port = String(row.port);
  const close = async (): Promise<void> => {
    const isSure = await confirm({
      title: t("bridge.closeTitle", { port }),
      text: t("bridge.closeText"),
      action: t("bridge.closeAction"),
      isHarmful: true,
    });
    if (!isSure) return;
    const { msg } = await exchange(bridge.close, { params: { id: String(row.id) } });
    snack(msg);
    await refetch(bridge.list);
  };
  return (
    <IconButton
      icon="close"
      label={t("bridge.close", { port, name: row.name })}
      // Told by the call itself.
      onClick={() => void close().catch(() => undefined)}
    />
  );
}

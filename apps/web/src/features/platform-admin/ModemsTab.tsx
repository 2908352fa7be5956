import { adminBroker, inbox, type AdminDeviceRow } from "@metrum/contract";
import { lazy, Suspense, useCallback, useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { refetch, useCall } from "#lib/call";
import { formatClock, useFormat } from "#lib/format";
import { useSession } from "#lib/session";
import { Button } from "#ui/button";
import { Segmented, SelectField } from "#ui/field";
import { Grid, isFiltered, shownColumns, useListState, useListProps, type GridState } from "#ui/grid";
import { SearchBox } from "#ui/search";
import { Connection, modemColumns, PollButton } from "./modemColumns.tsx";
import { chosen, listDefaults, pageOf, statuses, statusOf } from "./modems.ts";
import { useRefused } from "./useRefused.ts";

const PollDialog = lazy(async () => ({ default: (await import("./PollDialog.tsx")).PollDialog }));

const everyMs = 15_000;
const rowKey = ({ broker_port, device_id }: AdminDeviceRow) => `${String(broker_port)}/${device_id}`;

/** Every modem of the platform; the whole list is here, so searching and sorting ask nobody. */
export function ModemsTab() {
  const { t } = useTranslation("admin");
  const { number } = useFormat();
  const { zone } = useSession();
  const [polled, setPolled] = useState<AdminDeviceRow | null>(null);
  const list = useListState(undefined, listDefaults);
  const { state, change, reset } = list;
  const query = useCall(adminBroker.connectedGateways, { body: {} }, { isQuiet: true, freshMs: 0, everyMs });
  useRefused(query.error);
  const { data } = query;
  const found = useMemo(() => chosen(data ?? [], state), [data, state]);
  const rows = useMemo(() => pageOf(found, state), [found, state]);
  const columns = useMemo(
    () => modemColumns({ t, zone, number: (value) => number(value, 0), onPoll: setPolled }),
    [t, zone, number],
  );
  const shown = useMemo(() => shownColumns(columns, null), [columns]);
  const closePoll = () => {
    setPolled(null);
    // It may have found what hangs on a modem: the table and the inbox say so.
    void refetch(adminBroker.connectedGateways, inbox.list);
  };
  return (
    <>
      <div className="platform-bar">
        <SearchBox
          label={t("search")}
          value={state.q}
          onSearch={useCallback((q: string) => change({ q }), [change])}
        />
        <Filters state={state} onFilters={(filters) => change({ filters })} />
        <Button kind="link" disabled={!isFiltered(state)} onClick={reset}>
          {t("clearFilters")}
        </Button>
        <span className="platform-count" aria-live="polite">
          {data === undefined
            ? null
            : t("found", { shown: number(found.length, 0), all: number(data.length, 0) })}
        </span>
        <span className="platform-loaded">
          {data === undefined ? null : t("loaded", { at: formatClock(query.dataUpdatedAt / 1000, zone) })}
        </span>
        <Button icon="refresh" isBusy={query.isFetching} onClick={() => void query.refetch()}>
          {t("refresh")}
        </Button>
      </div>
      <Grid
        label={t("tab.modems")}
        columns={columns}
        shown={shown}
        rows={rows}
        rowKey={rowKey}
        {...useListProps(list, query, found.length)}
        empty={t("empty")}
        phoneRow={(row) => (
          <span className="platform-phone">
            <b>{row.device_id}</b>
            <Connection isOnline={row.connect_status} t={t} />
            <small>{`${String(row.broker_port)} · ${row.ip_address}`}</small>
            <PollButton row={row} t={t} onPoll={setPolled} />
          </span>
        )}
      />
      {polled === null ? null : (
        <Suspense>
          <PollDialog row={polled} onClose={closePoll} />
        </Suspense>
      )}
    </>
  );
}

interface FiltersProps {
  readonly state: GridState;
  readonly onFilters: (filters: GridState["filters"]) => void;
}

function Filters({ state, onFilters }: FiltersProps) {
  const { t } = useTranslation("admin");
  const { data, error } = useCall(adminBroker.ports, {}, { isQuiet: true });
  useRefused(error);
  const [port = ""] = state.filters["port"] ?? [];
  const put = (name: "port" | "status", value: string) => {
    const { [name]: _, ...others } = state.filters;
    onFilters(value === "" ? others : { ...others, [name]: [value] });
  };
  return (
    <>
      <span className="platform-port">
        <SelectField
          label={t("port")}
          placeholder={t("allPorts")}
          value={port}
          options={Object.entries(data ?? {}).map(([title, id]) => ({ value: String(id), title }))}
          onChange={(event) => put("port", event.target.value)}
        />
      </span>
      <Segmented
        label={t("status")}
        name="status"
        value={statusOf(state)}
        options={statuses.map((value) => ({ value, title: t(value) }))}
        onValue={(value) => put("status", value === "all" ? "" : value)}
      />
    </>
  );
}

import { lazy, Suspense, useCallback, useMemo } from "react";
import { useTranslation } from "react-i18next";
import { useFormat, useNow } from "#lib/format";
import { useAllowed, useSession } from "#lib/session";
import { ColumnChooser, Grid, isFiltered, shownColumns, useListProps, useListState } from "#ui/grid";
import { SearchBox } from "#ui/search";
import { Tabs } from "#ui/tabs";
import { deviceColumns } from "./deviceColumns.tsx";
import { DeviceFilters } from "./DeviceFilters.tsx";
import { DevicePhoneRow } from "./DevicePhoneRow.tsx";
import { listDefaults, searchFrom, type DeviceRow } from "./devices.ts";
import "./devices.css";
import { useActiveColumn } from "./useActiveColumn.tsx";
import { useChoosing } from "./useChoosing.tsx";
import { useDeviceFilters, useDeviceList } from "./useDevices.ts";

/** Fetched with the first tick: nobody chooses a device before the list is there. */
const BulkActions = lazy(async () => ({ default: (await import("./BulkActions.tsx")).BulkActions }));

const rowKey = (row: DeviceRow) => String(row.id);
const hrefOf = (row: DeviceRow) => `#/cloud/devices/data/${String(row.id)}`;
const rowClass = (row: DeviceRow) => (row.is_active === false ? "is-off" : "");

function open(row: DeviceRow, isNewTab: boolean): void {
  if (isNewTab) window.open(hrefOf(row), "_blank", "noopener");
  else location.hash = hrefOf(row);
}

/** Metering devices of the company: search, filters, columns and paging live in the address. */
export function DevicesPage() {
  const { t } = useTranslation("devices");
  const { number, age, language } = useFormat();
  const { zone } = useSession();
  const now = useNow();
  const list = useListState("devices", listDefaults);
  const { state, change, remember, reset } = list;
  const { query, rows, total } = useDeviceList(state);
  const filters = useDeviceFilters(language);
  const mayChange = useAllowed("4:update|4:access_all");
  const mayTie = useAllowed("4:read&1:read&6:read");
  const activeColumn = useActiveColumn(mayChange);
  const choosing = useChoosing();

  const columns = useMemo(
    () => [...deviceColumns({ t, language, number, age, zone, now, hrefOf }), activeColumn],
    [t, language, number, age, zone, now, activeColumn],
  );
  const shown = useMemo(() => shownColumns(columns, state.cols), [columns, state.cols]);
  const onShown = (cols: readonly string[] | null) => {
    remember({ cols: cols ?? undefined });
    change({ cols, page: state.page });
  };
  return (
    <section className="devices">
      <header className="devices-head">
        <h1>{t("title")}</h1>
      </header>
      <Tabs
        label={t("tabs")}
        items={[
          {
            id: "metering",
            title: t("metering"),
            count: query.data ? number(total, 0) : "",
            href: "#/cloud/devices",
          },
        ]}
        current="metering"
        onSelect={reset}
      />
      <div className="devices-bar">
        <SearchBox
          label={t("search")}
          value={state.q}
          onSearch={useCallback((q: string) => change({ q }), [change])}
          from={searchFrom}
        />
        <DeviceFilters
          filters={filters}
          state={state}
          total={total}
          onFilters={(next) => change({ filters: next })}
        />
        <span className="devices-count" aria-live="polite">
          {query.data && isFiltered(state) ? t("found", { shown: number(total, 0) }) : null}
        </span>
        <a href="#/cloud/devices/codecs">{t("codecs")}</a>
        <a href="#/cloud/devices/quarantine">{t("quarantine")}</a>
        <ColumnChooser columns={columns} shown={shown} onShown={onShown} />
      </div>
      <Grid
        label={t("list")}
        columns={columns}
        shown={shown}
        {...useListProps(list, query, total)}
        rows={rows}
        rowKey={rowKey}
        rowClass={rowClass}
        empty={t("empty")}
        onOpen={open}
        phoneRow={(row) => (
          <DevicePhoneRow row={row} context={{ t, language, number, age, zone, now, hrefOf }} />
        )}
        phoneHref={hrefOf}
        {...(mayChange || mayTie
          ? {
              ...choosing,
              bulk: (keys, clear) => (
                <Suspense>
                  <BulkActions keys={keys} clear={clear} rows={rows} />
                </Suspense>
              ),
            }
          : {})}
      />
    </section>
  );
}

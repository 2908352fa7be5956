import { columnOf, fields, resourceOfGroup, tabs, type TabKey } from "@metrum/vocabulary";
import { Suspense, useCallback, useMemo } from "react";
import { useTranslation } from "react-i18next";
import { useFormat } from "#lib/format";
import { lazily, onDemand } from "#lib/load";
import { saveSettings, useSession } from "#lib/session";
import { Button } from "#ui/button";
import { ChartPlace, createHover, type Gap } from "#ui/chart";
import type { Range } from "#ui/dateRange";
import { ColumnChooser, Grid, shownColumns, useGridMemory, useQueryProps } from "#ui/grid";
import type { DataAddress } from "../../address.ts";
import { DataChart } from "./DataChart.tsx";
import { DataPhoneRow, tableColumns, type DataContext } from "./dataColumns.tsx";
import { DataSummary } from "./DataSummary.tsx";
import { isShown, type DataColumn, type DataTable } from "./dataTable.ts";
import type { Device } from "../../DeviceHeader.tsx";
import { stepOf } from "./rhythm.ts";
import { kindOf } from "../registry.ts";
import { withGaps, type DataRow } from "./rows.ts";
import { Segments } from "../../DataSwitches.tsx";
import { chartColumns, scalesOf } from "./series.ts";
import type { useReadings } from "./useReadings.ts";

interface Props {
  readonly device: Device;
  readonly tab: TabKey;
  readonly msgType: number;
  readonly range: Range;
  readonly address: DataAddress;
  readonly onAddress: (change: Partial<DataAddress>) => void;
  readonly now: number;
  readonly readings: ReturnType<typeof useReadings>;
}

const NeverRead = lazily(async () => ({ default: (await import("./NeverRead.tsx")).NeverRead }));
const csvParts = onDemand(() => Promise.all([import("#lib/csv"), import("./dataCsv.ts")]));
const rowKey = (row: DataRow) => row.key;
const rowClass = (row: DataRow) => (row.kind === "gap" ? "is-gap" : "");

const noGaps: readonly Gap[] = [];

/** Chart data of one answer: rows with the gaps found by the server. */
function useRows(view: Omit<Props, "onAddress">) {
  const { tab, msgType, address, device, readings } = view;
  const { table, summary } = readings;
  const stepSec = stepOf({ tab, msgType, profile: address.profile }, device);
  // A period without any reading is shown as empty, not as one gap.
  const gaps = summary && table.time.length > 0 ? summary.gaps : noGaps;
  const rows = useMemo(() => withGaps(table.time, gaps, address.desc), [table.time, gaps, address.desc]);
  return { stepSec, gaps, rows, intervalSec: kindOf(tab).intervalSec ? stepSec : null };
}

/** Chart, sums and table of a tab: for readings, instantaneous values, profiles and archives. */
export function DataView(props: Props) {
  const { device, tab, range, address, onAddress, now, readings } = props;
  const { t } = useTranslation("deviceData");
  const { number, age, language } = useFormat();
  const zone = device.timezone_name;
  const { query, table, summary, isCut } = readings;
  const resource = resourceOfGroup(device.device_group_id).key;
  const hover = useMemo(createHover, [device.id, tab]);
  const { stepSec, gaps, rows, intervalSec } = useRows(props);
  const settingsKey = `data.${String(device.model_id)}.${tab}`;
  const { memory, remember } = useGridMemory(settingsKey);
  const chartFields = drawnFields(device, tab);
  const columns = useMemo(() => {
    const wanted = table.columns.filter((column) => isShown(column.name, shownOf(address), device.model));
    // Charted fields come first: on a phone there is room for two columns only.
    const isDrawn = (column: DataColumn) => Number(chartFields.includes(columnOf(column.name).field));
    // Otherwise the order of the vocabulary, so that a column added later is not at the end.
    return [...wanted].sort((a, b) => isDrawn(b) - isDrawn(a) || orderOf(a) - orderOf(b));
  }, [table.columns, address, device.model, chartFields]);
  const context = useMemo(
    (): DataContext => ({ t, number, age, zone, table, columns, intervalSec, gaps, hover }),
    [t, number, age, zone, table, columns, intervalSec, gaps, hover],
  );
  const gridColumns = useMemo(() => tableColumns(context), [context]);
  const shown = useMemo(() => shownColumns(gridColumns, memory.cols ?? null), [gridColumns, memory.cols]);
  const { scales, scale } = useScales({ table, device, address, chartFields });
  const hidden = useHidden(settingsKey);
  const onHoverRow = useCallback(
    (row: DataRow | null) => hover.set(row?.kind === "reading" ? row.index : null),
    [hover],
  );
  const saveCsv = async () => {
    const wanted = gridColumns.filter((column) => shown.includes(column.id));
    const { time } = table;
    const parts = await csvParts();
    if (parts === null) return;
    const [{ saveFile, toCsv }, { dataCsv }] = parts;
    const lines = dataCsv({ t, name: device.name, zone, range, time, gaps, columns: wanted });
    saveFile(`${device.name}.csv`, toCsv(lines, language));
  };
  const isEmpty = query.isSuccess && table.time.length === 0;
  return (
    <>
      {query.isPending && chartFields.length > 0 ? (
        <div className="panel">
          <ChartPlace />
        </div>
      ) : null}
      {scale && !isEmpty ? (
        <div className="panel">
          <ScaleChoice scales={scales} current={scale} onScale={(at) => onAddress({ scale: at })} />
          <DataChart
            title={`${tabs[tab][language]}, ${scale[0]?.unit ?? ""}`}
            {...{ table, resource, stepSec, intervalSec, range, zone, now, gaps, hover }}
            columns={scale}
            zoom={address.zoom}
            onZoom={(zoom) => onAddress({ zoom })}
            hidden={hidden.keys}
            onHidden={hidden.save}
          />
        </div>
      ) : null}
      {isCut ? <p className="data-note">{t("tooMany", { shown: number(table.time.length, 0) })}</p> : null}
      <div className="data-table">
        {table.time.length === 0 ? null : (
          <div className="data-strip">
            {summary ? <DataSummary {...{ columns, summary, resource, zone }} /> : null}
            <div className="data-tools">
              <ColumnChooser
                columns={gridColumns}
                shown={shown}
                onShown={(cols) => remember({ cols: cols ?? undefined })}
              />
              <Button kind="quiet" icon="download" onClick={() => void saveCsv()}>
                {t("actions.csv")}
              </Button>
            </div>
          </div>
        )}
        <Grid
          label={t("table")}
          columns={gridColumns}
          shown={shown}
          {...(memory.widths ? { widths: memory.widths } : {})}
          onWidths={(widths) => remember({ widths })}
          rows={rows}
          rowKey={rowKey}
          listKey={JSON.stringify([tab, range, address])}
          rowClass={rowClass}
          spanning={(row) => (row.kind === "gap" ? <GapText missing={row.gap.missing} /> : null)}
          {...useQueryProps(query)}
          sort={{ field: "datetime", desc: address.desc }}
          onSort={() => onAddress({ desc: !address.desc })}
          empty={<Nothing {...{ device, address, onAddress }} />}
          onHoverRow={onHoverRow}
          phoneRow={(row) => <DataPhoneRow row={row} context={context} />}
        />
      </div>
    </>
  );
}

/** Fields that the chart can draw, by shared scale, whatever growth the table shows. */
function useScales(of: {
  readonly table: DataTable;
  readonly device: Device;
  readonly address: DataAddress;
  readonly chartFields: readonly string[];
}) {
  const { table, device, address, chartFields } = of;
  return useMemo(() => {
    const able = table.columns.filter((column) =>
      isShown(column.name, { ...shownOf(address), delta: true }, device.model),
    );
    const scales = scalesOf(chartColumns(able, chartFields, address.counters));
    return { scales, scale: scales[address.scale] ?? scales[0] };
  }, [table.columns, device.model, address, chartFields]);
}

const order = new Map(Object.keys(fields).map((name, at) => [name, at]));
const orderOf = (column: DataColumn) => order.get(columnOf(column.name).field) ?? order.size;

const noFields: readonly string[] = [];

/** Fields the model charts on a tab; empty: the tab has no chart. */
export function drawnFields(device: Device, tab: string): readonly string[] {
  return device.model.tabs[tab]?.chart_fields ?? noFields;
}

type Scales = readonly (readonly DataColumn[])[];

/** Volts and amperes do not share an axis: the user chooses which to draw. */
function ScaleChoice(props: {
  readonly scales: Scales;
  readonly current: Scales[number];
  readonly onScale: (at: number) => void;
}) {
  const { scales, current, onScale } = props;
  const { t } = useTranslation("deviceData");
  if (scales.length < 2) return null;
  return (
    <Segments
      label={t("scale")}
      options={scales.map((each, at) => ({ value: at, title: each[0]?.unit ?? "" }))}
      value={scales.indexOf(current)}
      onValue={onScale}
    />
  );
}

function shownOf({ delta, losses, transformer, energy }: DataAddress) {
  return { delta, losses, transformer, energy };
}

function GapText({ missing }: { readonly missing: number }) {
  const { t } = useTranslation("deviceData");
  return (
    <span className="gap-text">
      <span aria-hidden="true">–</span> {t("gap", { count: missing })}
    </span>
  );
}

/** No data in the period: why, if there never was any; else the newest days, if another period is shown. */
function Nothing({ device, address, onAddress }: Pick<Props, "device" | "address" | "onAddress">) {
  const { t } = useTranslation(["deviceData", "devices"]);
  if (device.last_data_at === null)
    return (
      <>
        <p>{t("neverRead.title")}</p>
        <Suspense fallback={null}>
          <NeverRead
            deviceId={device.id}
            zone={device.timezone_name}
            onLog={() => onAddress({ tab: "journal" })}
          />
        </Suspense>
      </>
    );
  return (
    <>
      <p>{t("devices:data.nothing")}</p>
      {address.range !== null ? (
        <Button onClick={() => onAddress({ range: null })}>{t("latest")}</Button>
      ) : (
        <p className="quiet">{t("nothingHint")}</p>
      )}
    </>
  );
}

/** Series the user has switched off, kept per model and tab. */
function useHidden(table: string) {
  const { settings } = useSession().user;
  const key = `chart.${table}`;
  const stored = settings[key];
  const keys = useMemo(
    () => (Array.isArray(stored) ? stored.filter((each): each is string => typeof each === "string") : null),
    [stored],
  );
  return { keys, save: (next: readonly string[]) => saveSettings({ [key]: next }) };
}

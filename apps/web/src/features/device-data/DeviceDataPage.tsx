import { useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { devices, readings } from "@metrum/contract/metering";
import { columnOf, tabs as knownTabs, type TabKey } from "@metrum/vocabulary";
import { memo, Suspense, useCallback, useDeferredValue, useEffect, useMemo, useState } from "react";
import { lazily } from "#lib/load";
import { useTranslation } from "react-i18next";
import { reasonOf, useCall } from "#lib/call";
import { pageTitle } from "#lib/design";
import { formatOffset, useFormat, useNow } from "#lib/format";
import { useSocketEvent } from "#lib/socket";
import { loadQuarantineNotice } from "#quarantine";
import { OpenRequests } from "#requests";
import { Button } from "#ui/button";
import { DateRange, maxSpanOf } from "#ui/dateRange";
import { Skeleton } from "#ui/skeleton";
import { Tabs } from "#ui/tabs";
import { readAddress, writeAddress, type DataAddress, type DataSearch } from "./address.ts";
import { DataSwitches, Segments } from "./DataSwitches.tsx";
import { quadrantOf, switchesOf } from "./tabs/readings/dataTable.ts";
import { DataView, drawnFields } from "./tabs/readings/DataView.tsx";
import { DeviceHeader, type Device } from "./DeviceHeader.tsx";
import "./deviceData.css";
import "./tabs/journal/journal.css";
import { hasGrowth } from "./tabs/readings/series.ts";
import { kindOf } from "./tabs/registry.ts";
import { tabsOf, typeTitle } from "./tabs/tabs.ts";
import { useReadings } from "./tabs/readings/useReadings.ts";
import { shownRange, viewOf } from "./view.ts";

export { startCalls } from "./startCalls.ts";

/** The data comes first; the device actions are loaded later. */
const QuarantineNotice = lazily(loadQuarantineNotice);
const DeviceActions = lazily(async () => ({ default: (await import("./DeviceActions.tsx")).DeviceActions }));

/** The data of one device; tab, period, zoom and switches are kept in the address. */
export function DeviceDataPage() {
  const { id }: { readonly id?: string } = useParams({ strict: false });
  const { t } = useTranslation("deviceData");
  const query = useCall(
    devices.get,
    { params: { id: id ?? "" } },
    { isQuiet: true, freshMs: 10_000, everyMs: 60_000 },
  );
  const now = useNow();
  const device = query.data?.metering_device;
  const [isRequested, setRequested] = useState(false);
  useSocketEvent("device_task", ({ device_id }) => {
    if (device && device_id === device.id) setRequested(true);
  });
  useTitle(device?.name);
  if (device)
    return (
      <section className="device-data">
        <DeviceHeader
          device={device}
          now={now}
          actions={
            <Suspense fallback={null}>
              <DeviceActions device={device} onRequest={() => setRequested(true)} />
            </Suspense>
          }
        />
        <Suspense fallback={null}>
          <QuarantineNotice deviceId={device.id} />
        </Suspense>
        {isRequested ? (
          <Suspense fallback={null}>
            <OpenRequests device={device} />
          </Suspense>
        ) : null}
        <Content device={device} now={now} />
      </section>
    );
  if (!query.isError) return <Loading />;
  // Only a numeric id is requested: for any other (422) there is no device either.
  const isMissing = query.error.status === 404 || query.error.status === 422;
  return (
    <section className="device-data data-failed" role="alert">
      <p>{isMissing ? t("notFound") : t("failedLoad")}</p>
      <p className="quiet">{isMissing ? "" : reasonOf(query.error)}</p>
      {isMissing ? (
        <a href="#/cloud/devices">{t("backToList")}</a>
      ) : (
        <Button onClick={() => void query.refetch()}>{t("retry")}</Button>
      )}
    </section>
  );
}

export function useTitle(name: string | undefined): void {
  useEffect(() => {
    if (name === undefined) return undefined;
    const before = document.title;
    document.title = pageTitle(name);
    return () => {
      document.title = before;
    };
  }, [name]);
}

export function Loading() {
  return (
    <section className="device-data" aria-busy="true">
      <Skeleton width={260} height={16} />
      <Skeleton width={380} height={24} />
      <Skeleton height={400} />
    </section>
  );
}

type OnAddress = (change: Partial<DataAddress>, isStep?: boolean) => void;

interface ContentProps {
  readonly device: Device;
  readonly now: number;
  /** The accounting point whose data are shown, of all its devices; the device is the one that measures now. */
  readonly pointId?: number;
}

/** A chart and a table take their time: they follow the address once the pressed tab is marked. */
export function Content(props: ContentProps) {
  const search = useDeferredValue(useDataSearch());
  return <Data {...props} search={search} />;
}

const useDataSearch = (): DataSearch => useSearch({ strict: false });

const Data = memo(function Data(props: ContentProps & { readonly search: DataSearch }) {
  const { device, now, pointId, search } = props;
  const { t } = useTranslation("deviceData");
  const navigate = useNavigate();
  const address = useMemo(() => readAddress(search), [search]);
  const { tab, types, msgType, resource } = viewOf(device, address);
  const { view: OwnView, hasProfile = false } = kindOf(tab);
  const onAddress = useCallback<OnAddress>(
    (change, isStep = false) => {
      const changed = (current: DataSearch) => writeAddress(current, change);
      void navigate({ to: ".", search: changed, replace: !isStep });
    },
    [navigate],
  );
  const { range, limits } = useRange({ address, device, tab, msgType, now });
  const answer = useReadings({
    deviceId: device.id,
    pointId,
    tab,
    msgType,
    profile: address.profile,
    range,
    resource,
  });
  const { language } = useFormat();
  return (
    <>
      <div className="data-bar">
        <DateRange
          range={range}
          limits={limits}
          onRange={(next) => onAddress({ range: next, zoom: null }, true)}
        />
        <span className="data-zone">{formatOffset(range.end, device.timezone_name)}</span>
        {hasProfile ? (
          <>
            <Segments
              label={t("period")}
              options={[30, 60].map((minutes) => ({
                value: minutes,
                title: t("minutes", { count: minutes }),
              }))}
              value={address.profile}
              onValue={(minutes) => onAddress({ profile: minutes === 60 ? 60 : 30 })}
            />
            {answer.table.columns.some((column) => quadrantOf(columnOf(column.name).field) === "reactive") ? (
              <Segments
                label={t("energy.label")}
                options={(["a", "r", "ar"] as const).map((value) => ({ value, title: t(`energy.${value}`) }))}
                value={address.energy}
                onValue={(energy) => onAddress({ energy })}
              />
            ) : null}
          </>
        ) : null}
        {types.length > 1 ? (
          <Segments
            label={t("archiveType")}
            options={types.map((type) => ({
              value: type,
              title: typeTitle(type, language),
            }))}
            value={msgType}
            onValue={(type) => onAddress({ type, zoom: null })}
          />
        ) : null}
        <div className="data-bar-right">
          {OwnView ? null : (
            <DataSwitches
              canGrow={hasGrowth(answer.table.columns, drawnFields(device, tab))}
              switches={switchesOf(answer.table.columns)}
              address={address}
              onChange={onAddress}
            />
          )}
        </div>
      </div>
      <DataTabs device={device} onAddress={onAddress} />
      {OwnView ? (
        <Suspense fallback={<Skeleton height={400} />}>
          <OwnView deviceId={device.id} range={range} zone={device.timezone_name} resource={resource} />
        </Suspense>
      ) : (
        <DataView
          key={`${String(device.id)} ${tab}`}
          {...{ device, tab, msgType, range, address, onAddress, now }}
          readings={answer}
        />
      )}
    </>
  );
});

/** The tab of the address, also while the data of the one before is still drawn. */
function DataTabs({ device, onAddress }: { readonly device: Device; readonly onAddress: OnAddress }) {
  const { t } = useTranslation("deviceData");
  const { language } = useFormat();
  const { tab } = viewOf(device, readAddress(useDataSearch()));
  return (
    <Tabs
      label={t("tabsLabel")}
      items={tabsOf(device.model.tabs).map((each) => ({ id: each, title: knownTabs[each][language] }))}
      current={tab}
      onSelect={(next) => onAddress({ tab: next, type: null, zoom: null, scale: 0 }, true)}
    />
  );
}

/** The period that the page shows; it does not advance with every second. */
function useRange(from: {
  readonly address: DataAddress;
  readonly device: Device;
  readonly tab: TabKey;
  readonly msgType: number;
  readonly now: number;
}) {
  const { address, device, tab, msgType, now } = from;
  const zone = device.timezone_name;
  const [opened] = useState(now);
  const { start, end } = address.range ?? { start: null, end: null };
  const types = useCall(readings.typesGet, {}, { freshMs: 3_600_000, isQuiet: true }).data?.types;
  const maxSpan = maxSpanOf(tab, types?.find((each) => each.id === msgType)?.max_period_request ?? null);
  const range = useMemo(
    () => shownRange({ range: start === null ? null : { start, end }, tab }, { maxSpan, zone, now: opened }),
    [start, end, tab, maxSpan, zone, opened],
  );
  return { range, limits: { maxSpan, zone, now } };
}

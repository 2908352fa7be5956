import { devices, models } from "@metrum/contract";
import { lazy, Suspense } from "react";
import { useTranslation } from "react-i18next";
import { useCall } from "#lib/call";
import { useFormat, useNow } from "#lib/format";
import { useAllowed } from "#lib/session";
import { isFiltered } from "#ui/grid";
import { ListPage, ListView, useChoosing, useList } from "#ui/list";
import { DeviceTabs } from "./DeviceTabs.tsx";
import { deviceList } from "./deviceList.tsx";
import "./devices.css";
import { useDeviceNews } from "./useDeviceNews.ts";

/** Loaded on the first tick: devices are only selected once the list is shown. */
const BulkActions = lazy(async () => ({ default: (await import("./BulkActions.tsx")).BulkActions }));

/** Total number of devices, independent of filters. */
const everything = { body: { page: 1, per_page: 1 } };
const lasting = { freshMs: 3_600_000, isQuiet: true };

/** Metering devices of the company. */
export function DevicesPage() {
  const { t } = useTranslation("devices");
  const { number } = useFormat();
  const now = useNow();
  const mayChange = useAllowed("4:update|4:access_all");
  const mayTie = useAllowed("4:read&1:read&6:read");
  const known = useCall(models.devices, { body: {} }, lasting).data?.metering_devices;
  const list = useList(deviceList, { now, mayChange, known });
  const { rows, total, address } = list;
  const isNarrowed = isFiltered(address.state);
  const all = useCall(devices.list, everything, { isQuiet: true, isEnabled: isNarrowed }).data;
  const count = isNarrowed ? all?.metering_devices.total : total;
  useDeviceNews(rows, list.input);
  const choosing = useChoosing();
  const bulk = (keys: readonly string[], clear: () => void) => (
    <Suspense>
      <BulkActions keys={keys} clear={clear} rows={rows} />
    </Suspense>
  );
  return (
    <ListPage className="devices" title={t("title")}>
      <DeviceTabs
        current="metering"
        count={count === undefined ? "" : number(count, 0)}
        onReset={address.reset}
      />
      <ListView
        list={list}
        tools={
          <>
            <a href="#/cloud/devices/codecs">{t("codecs")}</a>
            <a href="#/cloud/devices/quarantine">{t("quarantine")}</a>
          </>
        }
        {...(mayChange || mayTie ? { ...choosing, bulk } : {})}
      />
    </ListPage>
  );
}

import { models } from "@metrum/contract/metering";
import { Suspense, useCallback, useState } from "react";
import { DeviceTabs, placeFilter, placeOf, PlaceSwitch, usePlaceCounts, type Place } from "#carriers";
import { lazily } from "#lib/load";
import { useTranslation } from "react-i18next";
import { useCall } from "#lib/call";
import { useFormat, useNow } from "#lib/format";
import { useAllowed } from "#lib/session";
import { Button } from "#ui/button";
import type { GridBulk } from "#ui/grid";
import { ListPage, ListView, useChoosing, useList } from "#ui/list";
import { deviceList } from "./deviceList.tsx";
import type { DeviceDialogKind } from "./DeviceMenu.tsx";
import { isNarrowed, type DeviceRow } from "./devices.ts";
import "./devices.css";
import type { Open } from "./OpenDialog.tsx";
import { useDeviceNews } from "./useDeviceNews.ts";

/** Loaded on the first tick: devices are only selected once the list is shown. */
const BulkActions = lazily(async () => ({ default: (await import("./BulkActions.tsx")).BulkActions }));

/** It comes with the menu of a row, which has the other moves. */
const ClearTrash = lazily(async () => ({ default: (await import("./RowMenu.tsx")).ClearTrash }));
const OpenDialog = lazily(async () => ({ default: (await import("./OpenDialog.tsx")).OpenDialog }));

const lasting = { freshMs: 3_600_000, isQuiet: true };

/** Metering devices of the company. */
export function DevicesPage() {
  const { t } = useTranslation("devices");
  const { number } = useFormat();
  const now = useNow();
  const mayChange = useAllowed("4:update|4:access_all");
  const mayTie = useAllowed("4:read&1:read&6:read");
  const mayDelete = useAllowed("4:delete|4:access_all");
  const mayImport = useAllowed("4:create|4:update|4:access_all");
  const known = useCall(models.devices, { body: {} }, lasting).data?.metering_devices;
  const [open, setOpen] = useState<Open | null>(null);
  const onDialog = useCallback((kind: DeviceDialogKind, row: DeviceRow) => setOpen({ kind, row }), []);
  const list = useList(deviceList, { now, mayChange, mayDelete, known, onDialog });
  const { rows, total, address } = list;
  const place = placeOf(address.state);
  const counts = usePlaceCounts(place, isNarrowed(address.state) ? undefined : total);
  const onPlace = (chosen: Place) =>
    address.change({ q: "", filters: chosen === "present" ? {} : { [placeFilter]: [chosen] } });
  useDeviceNews(rows, list.input);
  const choosing = useChoosing();
  const bulk: GridBulk = (keys, clear, whole) => (
    <Suspense>
      <BulkActions
        {...{ keys, clear, whole, rows, place, total: total ?? 0, input: list.input.body ?? {} }}
      />
    </Suspense>
  );
  return (
    <ListPage className="devices" title={t("title")}>
      <DeviceTabs
        current="metering"
        count={counts.present === undefined ? "" : number(counts.present, 0)}
        onReset={address.reset}
      />
      <ListView
        list={list}
        tools={
          <>
            <PlaceSwitch place={place} counts={counts} onPlace={onPlace} />
            <a href="#/cloud/devices/codecs">{t("codecs")}</a>
            <a href="#/cloud/devices/quarantine">{t("quarantine")}</a>
            {mayImport ? <a href="#/cloud/devices/import">{t("import")}</a> : null}
            {place === "trash" ? (
              <Suspense>
                <ClearTrash count={counts.trash} />
              </Suspense>
            ) : (
              <AddDevice onAdd={() => setOpen({ kind: "new" })} />
            )}
          </>
        }
        {...(place === "present" ? {} : { empty: t(`place.empty.${place}`) })}
        {...(mayChange || mayTie || mayDelete ? { ...choosing, bulk } : {})}
      />
      {open ? (
        <Suspense>
          <OpenDialog open={open} mayChange={mayChange} onClose={() => setOpen(null)} />
        </Suspense>
      ) : null}
    </ListPage>
  );
}

function AddDevice({ onAdd }: { readonly onAdd: () => void }) {
  const { t } = useTranslation("devices");
  if (!useAllowed("4:create|4:access_all")) return null;
  return (
    <Button kind="primary" icon="plus" onClick={onAdd}>
      {t("add")}
    </Button>
  );
}

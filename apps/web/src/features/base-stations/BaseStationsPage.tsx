import { baseStations, type BaseStation } from "@metrum/contract/metering";
import { Suspense, useState } from "react";
import { lazily } from "#lib/load";
import { useTranslation } from "react-i18next";
import { CarrierBulk, DeviceTabs, placeFilter, placeOf, PlaceSwitch } from "#carriers";
import { useFormat } from "#lib/format";
import { useAllowed } from "#lib/session";
import { Button } from "#ui/button";
import type { GridBulk } from "#ui/grid";
import { ListPage, ListView, useChoosing, useList } from "#ui/list";
import { selectionOf, stationList } from "./stationList.tsx";

const StationDialog = lazily(async () => ({ default: (await import("./StationDialog.tsx")).StationDialog }));

/** Base stations of the company; one tab of the catalogue. */
export function BaseStationsPage() {
  const { t } = useTranslation(["baseStations", "devices"]);
  const { number } = useFormat();
  const mayCreate = useAllowed("4:create|4:access_all");
  const mayChange = useAllowed("4:update|4:access_all");
  const mayDelete = useAllowed("4:delete|4:access_all");
  const mayImport = useAllowed("4:create|4:update|4:access_all");
  const [edited, setEdited] = useState<BaseStation | "new" | null>(null);
  const list = useList(stationList, { mayChange, mayDelete, onEdit: setEdited });
  const choosing = useChoosing();
  const { address, query } = list;
  const counts = query.data?.counts;
  const place = placeOf(address.state);
  const filter = selectionOf(address.state);
  const bulk: GridBulk = (keys, clear, whole) => (
    <Suspense>
      <CarrierBulk
        call={baseStations.changeMany}
        {...{ place, keys, clear, whole, filter }}
        total={list.total ?? 0}
      />
    </Suspense>
  );
  return (
    <ListPage title={t("devices:title")}>
      <DeviceTabs current="stations" count={counts ? number(counts.all, 0) : ""} onReset={address.reset} />
      <ListView
        list={list}
        tools={
          <>
            <PlaceSwitch
              place={place}
              counts={{ present: counts?.all, archive: counts?.archived, trash: counts?.deleted }}
              onPlace={(chosen) =>
                address.change({ filters: chosen === "present" ? {} : { [placeFilter]: [chosen] } })
              }
            />
            {mayImport ? (
              <a href="#/cloud/devices/import?f.kind=base_stations">{t("devices:import")}</a>
            ) : null}
            {mayCreate ? (
              <Button kind="primary" icon="plus" onClick={() => setEdited("new")}>
                {t("add")}
              </Button>
            ) : null}
          </>
        }
        {...(place === "present" ? {} : { empty: t(`devices:place.empty.${place}`) })}
        {...(mayDelete ? { ...choosing, bulk } : {})}
      />
      {edited === null ? null : (
        <Suspense>
          <StationDialog
            key={edited === "new" ? "new" : edited.id}
            station={edited === "new" ? null : edited}
            onClose={() => setEdited(null)}
          />
        </Suspense>
      )}
    </ListPage>
  );
}

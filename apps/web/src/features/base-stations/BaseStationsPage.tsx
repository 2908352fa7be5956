import type { BaseStation } from "@metrum/contract";
import { lazy, Suspense, useState } from "react";
import { useTranslation } from "react-i18next";
import { DeviceTabs } from "#devices";
import { useFormat } from "#lib/format";
import { useAllowed } from "#lib/session";
import { Button } from "#ui/button";
import { BulkButton } from "#ui/grid";
import { ListPage, ListView, TrashSwitch, useChoosing, useList } from "#ui/list";
import { moveAll } from "./actions.ts";
import { showsTrash, stationList, trashed } from "./stationList.tsx";

const StationDialog = lazy(async () => ({ default: (await import("./StationDialog.tsx")).StationDialog }));

/** Base stations of the company; one tab of the catalogue. */
export function BaseStationsPage() {
  const { t } = useTranslation(["baseStations", "devices"]);
  const { number } = useFormat();
  const mayCreate = useAllowed("4:create|4:access_all");
  const mayChange = useAllowed("4:update|4:access_all");
  const mayDelete = useAllowed("4:delete|4:access_all");
  const [edited, setEdited] = useState<BaseStation | "new" | null>(null);
  const list = useList(stationList, { mayChange, mayDelete, onEdit: setEdited });
  const choosing = useChoosing();
  const { address, query } = list;
  const counts = query.data?.counts;
  const isTrash = showsTrash(address.state);
  const bulk = (keys: readonly string[], clear: () => void) => (
    <BulkButton
      isFirst
      onClick={() =>
        void moveAll(keys.map(Number), !isTrash, t).then((isDone) => {
          if (isDone) clear();
        })
      }
    >
      {t(isTrash ? "menu.restore" : "menu.toTrash")}
    </BulkButton>
  );
  return (
    <ListPage title={t("devices:title")}>
      <DeviceTabs current="stations" count={counts ? number(counts.all, 0) : ""} onReset={address.reset} />
      <ListView
        list={list}
        tools={
          <>
            <TrashSwitch
              isTrash={isTrash}
              counts={counts}
              onTrash={(isShown) => address.change({ filters: isShown ? { show: [trashed] } : {} })}
            />
            {mayChange ? (
              <a href="#/cloud/devices/import?f.kind=base_stations">{t("devices:import")}</a>
            ) : null}
            {mayCreate ? (
              <Button kind="primary" icon="plus" onClick={() => setEdited("new")}>
                {t("add")}
              </Button>
            ) : null}
          </>
        }
        {...(isTrash ? { empty: t("emptyTrash") } : {})}
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

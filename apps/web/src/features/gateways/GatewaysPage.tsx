import { gateways, models, type Gateway } from "@metrum/contract/metering";
import { Suspense, useState } from "react";
import { lazily } from "#lib/load";
import { useTranslation } from "react-i18next";
import { GatewayControlDialog } from "#control";
import { CarrierBulk, DeviceTabs, placeFilter, placeOf, PlaceSwitch } from "#carriers";
import { useCall } from "#lib/call";
import { useFormat, useNow } from "#lib/format";
import { useAllowed } from "#lib/session";
import { Button } from "#ui/button";
import type { GridBulk } from "#ui/grid";
import { ListPage, ListView, useChoosing, useList } from "#ui/list";
import { gatewayList } from "./gatewayList.tsx";
import { selectionOf } from "./gateways.ts";
import "./gateways.css";

const GatewayDialog = lazily(async () => ({ default: (await import("./GatewayDialog.tsx")).GatewayDialog }));

const lasting = { freshMs: 3_600_000, isQuiet: true };

/** Gateways of the company; one tab of the catalogue. */
export function GatewaysPage() {
  const { t } = useTranslation(["gateways", "common"]);
  const { number } = useFormat();
  const now = useNow();
  const mayCreate = useAllowed("4:create|4:access_all");
  const mayChange = useAllowed("4:update|4:access_all");
  const mayDelete = useAllowed("4:delete|4:access_all");
  const mayImport = useAllowed("4:create|4:update|4:access_all");
  const known = useCall(models.gateways, { body: {} }, lasting).data?.gateways;
  const [edited, setEdited] = useState<Gateway | "new" | null>(null);
  const [controlled, setControlled] = useState<Gateway | null>(null);
  const actions = { onEdit: setEdited, onControl: setControlled };
  const list = useList(gatewayList, { now, mayChange, mayDelete, known, ...actions });
  const choosing = useChoosing();
  const { address, query } = list;
  const counts = query.data?.counts;
  const place = placeOf(address.state);
  const filter = selectionOf(address.state);
  const bulk: GridBulk = (keys, clear, whole) => (
    <Suspense>
      <CarrierBulk
        call={gateways.changeMany}
        {...{ place, keys, clear, whole, filter }}
        total={list.total ?? 0}
      />
    </Suspense>
  );
  return (
    <ListPage className="gateways" title={t("devices:title")}>
      <DeviceTabs current="gateways" count={counts ? number(counts.all, 0) : ""} onReset={address.reset} />
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
            {mayImport ? <a href="#/cloud/devices/import?f.kind=gateways">{t("devices:import")}</a> : null}
            {mayCreate ? (
              <Button kind="primary" icon="plus" onClick={() => setEdited("new")}>
                {t("add")}
              </Button>
            ) : null}
          </>
        }
        {...(place === "present" ? {} : { empty: t(`devices:place.empty.${place}`) })}
        {...(mayChange || mayDelete ? { ...choosing, bulk } : {})}
      />
      {edited === null ? null : (
        <Suspense>
          <GatewayDialog
            key={edited === "new" ? "new" : edited.id}
            gateway={edited === "new" ? null : edited}
            onClose={() => setEdited(null)}
          />
        </Suspense>
      )}
      <Controlled gateway={controlled} onClose={() => setControlled(null)} />
    </ListPage>
  );
}

/** The control dialog of the chosen gateway. */
function Controlled(props: { readonly gateway: Gateway | null; readonly onClose: () => void }) {
  const { gateway, onClose } = props;
  if (gateway === null) return null;
  return (
    <Suspense>
      <GatewayControlDialog gateway_id={gateway.id} onClose={onClose} />
    </Suspense>
  );
}

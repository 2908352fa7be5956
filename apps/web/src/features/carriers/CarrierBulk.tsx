import {
  carrierChanges,
  gateways,
  type baseStations,
  type BaseStationSelection,
  type CarrierAction,
  type GatewaySelection,
} from "@metrum/contract/metering";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { exchange } from "#lib/call";
import { useFormat } from "#lib/format";
import { useAllowed } from "#lib/session";
import { change } from "#ui/change";
import { confirm } from "#ui/dialog";
import { BulkButton, type GridWhole } from "#ui/grid";
import { WholeButton } from "#ui/list";
import { isPermitted } from "./permitted.ts";
import { placeInput, type Place } from "./places.ts";
import { refreshed } from "./refreshed.ts";

interface Props {
  readonly call: typeof gateways.changeMany | typeof baseStations.changeMany;
  readonly place: Place;
  readonly keys: readonly string[];
  readonly clear: () => void;
  readonly whole: GridWhole;
  /** The filter of the list, and the number of all its rows. */
  readonly filter: GatewaySelection & BaseStationSelection;
  readonly total: number;
}

const switches = ["switch_on", "switch_off"] as const;
const actionsOf: Readonly<Record<Place, readonly CarrierAction[]>> = {
  present: ["archive", "trash"],
  archive: ["unarchive", "trash"],
  trash: ["restore"],
};

/** Changes of the selected gateways or base stations, or of all that the filter matches. */
export function CarrierBulk({ call, place, keys, clear, whole, filter, total }: Props) {
  const { t } = useTranslation("carriers");
  const { number } = useFormat();
  const [isBusy, setBusy] = useState(false);
  const may = {
    "4:update|4:access_all": useAllowed("4:update|4:access_all"),
    "4:delete|4:access_all": useAllowed("4:delete|4:access_all"),
  };
  const ofGateways = call === gateways.changeMany;
  const actions = [...(ofGateways && place === "present" ? switches : []), ...actionsOf[place]];
  const count = whole.isWhole ? total : keys.length;
  const make = async (action: CarrierAction) => {
    if (!isPermitted(call)) return;
    const isSure = await confirm({
      title: t(`confirm.${action}`, { shown: number(count, 0) }),
      text: t(ofGateways ? "gateways" : "baseStations"),
      action: t(action),
      isHarmful: action === "trash",
    });
    if (!isSure) return;
    setBusy(true);
    const body = { action, filter: whole.isWhole ? filter : { ...placeInput(place), ids: keys.map(Number) } };
    if (await change(() => exchange(call, { body }), { refreshed })) clear();
    setBusy(false);
  };
  return (
    <>
      {total > keys.length ? <WholeButton whole={whole} total={total} /> : null}
      {actions
        .filter((action) => may[carrierChanges[action]])
        .map((action, nth) => (
          <BulkButton
            key={action}
            isFirst={nth === 0 && !whole.isWhole}
            disabled={isBusy}
            onClick={() => void make(action)}
          >
            {t(action)}
          </BulkButton>
        ))}
    </>
  );
}

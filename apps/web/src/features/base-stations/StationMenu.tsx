import { baseStations, type BaseStation } from "@metrum/contract/metering";
import { CarrierMenu, type CarrierKind } from "#carriers";

export interface StationActions {
  readonly mayChange: boolean;
  readonly mayDelete: boolean;
  readonly onEdit: (station: BaseStation) => void;
}

const kind: CarrierKind = { calls: baseStations, texts: "baseStations", mismatch: "msg_61" };

/** Actions on a base station; those without the right are left out. */
export function StationMenu(props: StationActions & { readonly station: BaseStation }) {
  const { station, mayChange, mayDelete, onEdit } = props;
  return <CarrierMenu {...{ kind, mayChange, mayDelete }} carrier={station} onEdit={() => onEdit(station)} />;
}

import { deviceHref, gatewayHref } from "#lib/screen";
import { objectTies } from "@metrum/contract/accounting";
import { baseStations, devices, gateways } from "@metrum/contract/metering";
import { exchange, useCall } from "#lib/call";

export const placedKinds = ["devices", "gateways", "base_stations"] as const;
export type PlacedKind = (typeof placedKinds)[number];

/** States of the devices that a node counts as silent. */
const silentStates = ["silent", "never"] as const;

/** Rows of one answer; more are found by the search. */
export const mostPlaced = 100;

/** What stands at a node, or could be placed there. */
export interface Placed {
  readonly id: number;
  readonly name: string;
  readonly number: string;
  readonly href: string;
}

export interface PlacedAsked {
  readonly kind: PlacedKind;
  /** Only what stands at this node or below; without it everything. */
  readonly object?: string;
  readonly search: string;
  /** Only devices that are silent, as the counters of a node count them. */
  readonly isSilent?: boolean;
}

/** Devices, gateways or stations by the call of their own list, the first hundred by name. */
export function usePlaced({ kind, object, search, isSilent = false }: PlacedAsked) {
  const body = {
    page: 1,
    per_page: mostPlaced,
    sort_field: "name" as const,
    sort: "asc" as const,
    ...(search === "" ? {} : { search_string: search }),
    ...(object === undefined ? {} : { object_ids: [Number(object)] }),
  };
  const of = (own: PlacedKind) => ({ isQuiet: true, keepsPrevious: true, isEnabled: kind === own });
  const ofDevices = useCall(
    devices.list,
    { body: { ...body, ...(isSilent ? { fields_filter: { state: [...silentStates] } } : {}) } },
    of("devices"),
  );
  const ofGateways = useCall(gateways.list, { body }, of("gateways"));
  const ofStations = useCall(baseStations.list, { body }, of("base_stations"));
  const found = ofDevices.data?.metering_devices;
  return {
    devices: {
      query: ofDevices,
      total: found?.total ?? 0,
      rows: found?.data.map(({ id = 0, name = "", deviceID = "" }): Placed => {
        return { id, name, number: deviceID, href: deviceHref(id) };
      }),
    },
    gateways: ofCarriers(ofGateways, ofGateways.data?.gateways, gatewayHref),
    base_stations: ofCarriers(
      ofStations,
      ofStations.data?.base_stations,
      () => "#/cloud/devices/base-stations",
    ),
  }[kind];
}

interface Carriers {
  readonly total: number;
  readonly data: readonly { readonly id: number; readonly name: string; readonly device_id: string }[];
}

/** Gateways or base stations as rows. */
function ofCarriers<Query>(query: Query, found: Carriers | undefined, hrefOf: (id: number) => string) {
  const rows = found?.data.map(({ id, name, device_id }): Placed => ({
    id,
    name,
    number: device_id,
    href: hrefOf(id),
  }));
  return { query, rows, total: found?.total ?? 0 };
}

/** Call that places a kind of item; taking it away needs the same right. */
export const tiesOf = {
  devices: objectTies.tieDevices,
  gateways: objectTies.tieGateways,
  base_stations: objectTies.tieBaseStations,
} as const;

export function place(kind: PlacedKind, object_id: string, ids: readonly number[]) {
  const items = [...ids];
  switch (kind) {
    case "devices":
      return exchange(objectTies.tieDevices, { body: { object_id, device_ids: items } });
    case "gateways":
      return exchange(objectTies.tieGateways, { body: { object_id, gateway_ids: items } });
    case "base_stations":
      return exchange(objectTies.tieBaseStations, { body: { object_id, base_station_ids: items } });
  }
}

const fields = { devices: "device_ids", gateways: "gateway_ids", base_stations: "base_station_ids" } as const;

export const take = (kind: PlacedKind, id: number) =>
  exchange(objectTies.untie, { body: { [fields[kind]]: [id] } });

import { mapStates, type MapRectangle, type MapState } from "@metrum/contract/accounting";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { toDegrees, toPlane, type Viewport } from "./plane.ts";

/** What the address says: where the map is, its filter, and what is chosen on it. */
export interface MapAddress {
  readonly view: Viewport | null;
  readonly search: string;
  readonly states: readonly MapState[];
  readonly chosen: string | null;
  readonly place: MapRectangle | null;
}

const rounded = (value: number): string => String(Math.round(value * 1e5) / 1e5);

export function useMapAddress(): [MapAddress, (change: Partial<MapAddress>) => void] {
  const given: Readonly<Record<string, unknown>> = useSearch({ strict: false });
  const navigate = useNavigate();
  const textOf = (name: string): string => {
    const value = given[name];
    return typeof value === "string" || typeof value === "number" ? String(value) : "";
  };
  const numbers = (name: string): number[] => textOf(name).split("_").map(Number);
  const [latitude = NaN, longitude = NaN, zoom = NaN] = numbers("at");
  const [south = NaN, west = NaN, north = NaN, east = NaN] = numbers("place");
  const isView = [latitude, longitude, zoom].every(Number.isFinite);
  const isPlace = [south, west, north, east].every(Number.isFinite);
  const address: MapAddress = {
    view: isView ? { ...toPlane([latitude, longitude]), zoom } : null,
    search: textOf("q"),
    states: mapStates.filter((state) => textOf("state").split("_").includes(state)),
    chosen: textOf("object") || null,
    place: isPlace ? { south, west, north, east } : null,
  };
  const change = (by: Partial<MapAddress>) => {
    const { view, search, states, chosen, place } = { ...address, ...by };
    const [lat, lon] = view ? toDegrees(view) : [0, 0];
    void navigate({
      to: ".",
      replace: true,
      search: {
        ...(view ? { at: [rounded(lat), rounded(lon), view.zoom.toFixed(2)].join("_") } : {}),
        ...(search === "" ? {} : { q: search }),
        ...(states.length === 0 ? {} : { state: states.join("_") }),
        ...(chosen === null ? {} : { object: chosen }),
        ...(place
          ? { place: [place.south, place.west, place.north, place.east].map(rounded).join("_") }
          : {}),
      },
    });
  };
  return [address, change];
}

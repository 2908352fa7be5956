import {
  mapStates,
  objectMap,
  type MapCounts,
  type MapObject,
  type MapState,
} from "@metrum/contract/accounting";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { reasonOf, useCall } from "#lib/call";
import { useFormat } from "#lib/format";
import { ObjectTabs } from "#object-tabs";
import { SearchBox } from "#ui/search";
import { Skeleton } from "#ui/skeleton";
import { EmptyState, ErrorState } from "#ui/states";
import { StatusGlyph } from "#ui/status";
import { useMapAddress, type MapAddress } from "./address.ts";
import { MapCanvas } from "./MapCanvas.tsx";
import { MapSide } from "./MapSide.tsx";
import "./objectMap.css";
import { toPlane, viewportOf } from "./plane.ts";
import { kindOf } from "./states.ts";
import { useMap } from "./useMap.ts";

/** Objects on a map, with the list of what it shows beside it. */
export function MapPage() {
  const { t } = useTranslation("objectMap");
  const { data: start, error, refetch } = useCall(objectMap.start, { body: {} }, { isQuiet: true });
  return (
    <section className="map">
      <h1 className="visually-hidden">{t("title")}</h1>
      <ObjectTabs current="map" />
      {error && !start ? (
        <ErrorState title={t("failed")} message={reasonOf(error)} onRetry={() => void refetch()} />
      ) : !start ? (
        <Skeleton height={400} />
      ) : start.bounds === null ? (
        <EmptyState title={t("empty")} />
      ) : (
        <Shown start={{ ...start, bounds: start.bounds }} />
      )}
    </section>
  );
}

type Start = NonNullable<ReturnType<typeof useCall<typeof objectMap.start>>["data"]>;

function Shown({ start }: { readonly start: Start & { readonly bounds: NonNullable<Start["bounds"]> } }) {
  const [address, changeAddress] = useMapAddress();
  const filter = filterOf(address);
  const map = useMap({ whole: start.bounds, filter, initial: address.view });
  const [isListOpen, setListOpen] = useState(false);
  useEffect(() => {
    if (map.rested && map.moved) changeAddress({ view: map.rested });
  }, [map.rested]);
  const choose = ({ _id, coordinates }: MapObject) => {
    const next = { ...toPlane(coordinates), zoom: Math.max(map.view.zoom, 16) };
    map.setView(next);
    changeAddress({ chosen: _id, view: next });
  };
  return (
    <>
      <FilterBar {...{ address, changeAddress }} counts={map.shown?.counts} without={start.without} />
      <div className="map-body" data-list={isListOpen ? "" : undefined}>
        <MapCanvas
          {...map}
          tiles={{ url: start.tiles_url, attribution: start.tiles_attribution }}
          chosen={address.chosen}
          onView={map.setView}
          onObject={({ _id }) => changeAddress({ chosen: _id })}
          onPlace={(place) => {
            changeAddress({ place });
            setListOpen(true);
          }}
          onWhole={() => {
            map.setView(viewportOf(start.bounds, map.size));
            changeAddress({ place: null, chosen: null });
          }}
        />
        <MapSide
          {...{ map, filter, isListOpen, setListOpen }}
          chosen={address.chosen}
          place={address.place}
          onEverywhere={() => changeAddress({ place: null })}
          onChoose={choose}
        />
      </div>
    </>
  );
}

const filterOf = ({ search, states }: MapAddress) => ({
  ...(search === "" ? {} : { search_string: search }),
  ...(states.length === 0 ? {} : { states: [...states] }),
});

interface Bar {
  readonly address: MapAddress;
  readonly changeAddress: (change: Partial<MapAddress>) => void;
  readonly counts: MapCounts | undefined;
  /** Objects that no map shows. */
  readonly without: number;
}

function FilterBar({ address, changeAddress, counts, without }: Bar) {
  const { t } = useTranslation("objectMap");
  const { number } = useFormat();
  const toggle = (state: MapState) =>
    changeAddress({
      place: null,
      states: address.states.includes(state)
        ? address.states.filter((each) => each !== state)
        : [...address.states, state],
    });
  return (
    <div className="map-bar">
      <SearchBox
        label={t("search")}
        value={address.search}
        onSearch={(text) => changeAddress({ search: text.trim(), place: null })}
        size="m"
      />
      {mapStates.map((state) => (
        <button
          key={state}
          type="button"
          className="map-chip"
          aria-pressed={address.states.includes(state)}
          onClick={() => toggle(state)}
        >
          <StatusGlyph kind={kindOf[state]} /> {t(`state.${state}`)}{" "}
          <b>{counts ? number(counts[state], 0) : "…"}</b>
        </button>
      ))}
      <small>{without > 0 ? t("without", { count: without, shown: number(without, 0) }) : ""}</small>
    </div>
  );
}

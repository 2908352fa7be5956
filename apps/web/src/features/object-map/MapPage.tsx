import { mapStates, objectMap, type MapCounts, type MapObject, type MapState } from "@metrum/contract";
import { useEffect, useRef, useState } from "react";
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
import { MapList } from "./MapList.tsx";
import "./objectMap.css";
import { rectangleOf, toPlane, viewportOf, type Viewport } from "./plane.ts";
import { kindOf } from "./states.ts";
import { useSize } from "./useViewport.ts";

/** Requests and the address follow the map when it stands still for so long. */
const restMs = 200;
const everyMs = 60_000;

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
  const { t } = useTranslation("objectMap");
  const { number } = useFormat();
  const [address, changeAddress] = useMapAddress();
  const area = useRef<HTMLDivElement>(null);
  const size = useSize(area);
  const [view, setView] = useState<Viewport | null>(address.view);
  const [isListOpen, setListOpen] = useState(false);
  const isMeasured = size.width > 0;
  const whole = () => viewportOf(start.bounds, size);
  const shownView = view ?? (isMeasured ? whole() : { x: 0.5, y: 0.5, zoom: 1 });
  const rested = useRested(isMeasured ? shownView : null);
  useEffect(() => {
    if (rested && view) changeAddress({ view: rested });
  }, [rested]);
  const filter = filterOf(address);
  const bounds = rectangleOf(rested ?? shownView, isMeasured ? size : { width: 800, height: 600 });
  const asked = { ...bounds, ...filter, zoom: Math.round((rested ?? shownView).zoom * 100) / 100 };
  const { data } = useCall(
    objectMap.view,
    { body: asked },
    { isQuiet: true, keepsPrevious: true, everyMs, isEnabled: rested !== null },
  );
  const choose = ({ _id, coordinates }: MapObject) => {
    const { x, y } = toPlane(coordinates);
    const next = { x, y, zoom: Math.max(shownView.zoom, 16) };
    setView(next);
    changeAddress({ chosen: _id, view: next });
  };
  return (
    <>
      <FilterBar {...{ address, changeAddress }} counts={data?.counts} without={start.without} />
      <div className="map-body" data-list={isListOpen ? "" : undefined}>
        <MapCanvas
          {...{ view: shownView, size, area, shown: data }}
          tiles={{ url: start.tiles_url, attribution: start.tiles_attribution }}
          chosen={address.chosen}
          onView={setView}
          onObject={({ _id }) => changeAddress({ chosen: _id })}
          onPlace={(place) => {
            changeAddress({ place });
            setListOpen(true);
          }}
          onWhole={() => {
            setView(whole());
            changeAddress({ place: null, chosen: null });
          }}
        />
        <aside className="map-side" aria-label={t("list")}>
          <button
            type="button"
            className="map-handle"
            aria-expanded={isListOpen}
            onClick={() => setListOpen(!isListOpen)}
          >
            {t("listOf", { shown: number(data?.total ?? 0, 0) })}
          </button>
          {address.place ? (
            <button type="button" className="map-chip" onClick={() => changeAddress({ place: null })}>
              {t("onePlace")} {"×"}
            </button>
          ) : null}
          {rested ? (
            <MapList
              bounds={address.place ?? bounds}
              filter={filter}
              chosen={address.chosen}
              onChoose={choose}
            />
          ) : (
            <Skeleton height={300} />
          )}
        </aside>
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

/** A viewport that has not changed for a moment; the first one at once. */
function useRested(view: Viewport | null): Viewport | null {
  const [rested, setRested] = useState<Viewport | null>(null);
  const key = view ? [view.x, view.y, view.zoom].join() : "";
  useEffect(() => {
    if (!view) return;
    if (rested === null) {
      setRested(view);
      return;
    }
    const timer = setTimeout(() => setRested(view), restMs);
    return () => clearTimeout(timer);
  }, [key]);
  return rested;
}

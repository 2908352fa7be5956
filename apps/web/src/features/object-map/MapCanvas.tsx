import type { MapCluster, MapObject, MapRectangle, objectMap } from "@metrum/contract/accounting";
import type { ReplyOf } from "@metrum/contract/core";
import type { KeyboardEvent, RefObject } from "react";
import { useTranslation } from "react-i18next";
import { useFormat } from "#lib/format";
import { IconButton } from "#ui/button";
import { StatusGlyph } from "#ui/status";
import { GridLayer, ScaleBar, TileLayer } from "./BaseLayer.tsx";
import { boxAround, labelsOf } from "./labels.ts";
import {
  metresOfPixel,
  pixelsAcross,
  toPlane,
  viewportOf,
  type PlanePoint,
  type Size,
  type Viewport,
} from "./plane.ts";
import { kindOf } from "./states.ts";
import { useGestures } from "./useViewport.ts";

type View = ReplyOf<typeof objectMap.view>;

interface Props {
  readonly view: Viewport;
  readonly size: Size;
  readonly area: RefObject<HTMLDivElement | null>;
  readonly shown: View | undefined;
  readonly tiles: { readonly url: string | null; readonly attribution: string };
  readonly chosen: string | null;
  readonly onView: (view: Viewport) => void;
  readonly onObject: (object: MapObject) => void;
  /** Objects that no zoom takes apart are listed beside the map. */
  readonly onPlace: (bounds: MapRectangle) => void;
  readonly onWhole: () => void;
}

/** The map itself: base layer, places, stations, clusters and objects. */
export function MapCanvas(props: Props) {
  const { view, size, area, shown, tiles, chosen, onView, onObject, onPlace, onWhole } = props;
  const { t } = useTranslation("objectMap");
  const { zoomBy, handlers } = useGestures({ view, size, area, onView });
  const across = pixelsAcross(view.zoom);
  const toScreen = ({ x, y }: PlanePoint): PlanePoint => ({
    x: (x - view.x) * across + size.width / 2,
    y: (y - view.y) * across + size.height / 2,
  });
  const at = (coordinates: readonly [number, number]) => toScreen(toPlane(coordinates));
  const layer = { view, size, toScreen };
  const labels = labelsOn(shown, { at, hasNames: tiles.url === null, isNear: view.zoom >= nearZoom });
  const open = ({ bounds }: MapCluster) => {
    // The cluster comes apart, and the focus would be lost with it.
    area.current?.focus();
    const isOnePlace = bounds.north - bounds.south < 2e-5 && bounds.east - bounds.west < 2e-5;
    if (isOnePlace || view.zoom >= 18.5) onPlace(bounds);
    else {
      const next = viewportOf(bounds, size);
      onView({ ...next, zoom: Math.max(next.zoom, Math.min(view.zoom + 1, 19)) });
    }
  };
  return (
    <div ref={area} className="map-area" tabIndex={0} role="application" aria-label={t("map")} {...handlers}>
      <svg width={size.width} height={size.height} aria-hidden={false}>
        {tiles.url === null ? <GridLayer {...layer} /> : <TileLayer {...layer} url={tiles.url} />}
        {labels.places.map(({ key, text, at: { x, y } }) => (
          <text key={key} className="map-name" x={x} y={y} textAnchor="middle">
            {text}
          </text>
        ))}
        {(shown?.stations ?? []).map(({ id, name, coordinates, radius, devices }) => {
          const { x, y } = at(coordinates);
          return (
            <g key={id} className="map-station">
              <title>{t("station", { name, count: devices })}</title>
              <circle cx={x} cy={y} r={radius / metresOfPixel(coordinates[0], view.zoom)} />
              <path d={`M${String(x)} ${String(y - 9)}l6 15h-12z`} />
              <text x={x + 9} y={y + 5}>
                {name}
              </text>
            </g>
          );
        })}
        {(shown?.clusters ?? []).map((cluster) => (
          <ClusterMark
            key={cluster.key}
            cluster={cluster}
            at={at(cluster.coordinates)}
            onOpen={() => open(cluster)}
          />
        ))}
        {(shown?.objects ?? []).map((object) => (
          <ObjectMark
            key={object._id}
            object={object}
            at={at(object.coordinates)}
            isNamed={labels.objects.has(object._id)}
            isChosen={object._id === chosen}
            onOpen={() => onObject(object)}
          />
        ))}
      </svg>
      <div className="map-buttons">
        <IconButton icon="plus" label={t("nearer")} kind="secondary" onClick={() => zoomBy(1)} />
        <button type="button" aria-label={t("farther")} title={t("farther")} onClick={() => zoomBy(-1)}>
          {"−"}
        </button>
        <button type="button" aria-label={t("whole")} title={t("whole")} onClick={onWhole}>
          {"⤢"}
        </button>
      </div>
      <ScaleBar view={view} />
      {tiles.url !== null && tiles.attribution !== "" ? (
        <small className="map-attribution">{tiles.attribution}</small>
      ) : null}
    </div>
  );
}

/** From this zoom on objects are named. */
const nearZoom = 15;
const objectRadius = 11;
const radiusOf = ({ count }: MapCluster): number => 15 + Math.min(13, Math.log10(count) * 4.5);

/** The names that find room on the map. */
function labelsOn(
  shown: View | undefined,
  of: {
    readonly at: (coordinates: readonly [number, number]) => PlanePoint;
    readonly hasNames: boolean;
    readonly isNear: boolean;
  },
) {
  const { at, hasNames, isNear } = of;
  const { objects = [], clusters = [], names = [] } = shown ?? {};
  const marks = [
    ...objects.map(({ coordinates }) => boxAround(at(coordinates), objectRadius)),
    ...clusters.map((cluster) => boxAround(at(cluster.coordinates), radiusOf(cluster))),
  ];
  return labelsOf(
    {
      places: (hasNames ? names : []).map(({ text, coordinates }) => ({
        key: text,
        text,
        at: at(coordinates),
      })),
      objects: (isNear ? objects : []).map(({ _id, name, coordinates }) => ({
        key: _id,
        text: name,
        at: at(coordinates),
      })),
    },
    marks,
  );
}

const onEnter = (run: () => void) => (event: KeyboardEvent) => {
  if (event.key !== "Enter" && event.key !== " ") return;
  event.preventDefault();
  run();
};

interface Mark {
  readonly at: PlanePoint;
  readonly onOpen: () => void;
}

function ClusterMark({ cluster, at, onOpen }: Mark & { readonly cluster: MapCluster }) {
  const { t } = useTranslation("objectMap");
  const { number } = useFormat();
  const { count, counts, state } = cluster;
  const radius = radiusOf(cluster);
  const label = t("cluster", {
    count,
    shown: number(count, 0),
    silent: counts.silent,
    partly: counts.partly,
  });
  return (
    <g
      className="map-cluster"
      data-state={state}
      role="button"
      tabIndex={-1}
      aria-label={label}
      transform={`translate(${String(at.x)} ${String(at.y)})`}
      onClick={onOpen}
      onKeyDown={onEnter(onOpen)}
    >
      <title>{label}</title>
      <circle r={radius} />
      <g transform={`translate(-5 ${String(-radius + 2)})`}>
        <StatusGlyph kind={kindOf[state]} />
      </g>
      <text textAnchor="middle" y={8}>
        {count > 9_999 ? `${number(count / 1000, 0)}k` : number(count, 0)}
      </text>
    </g>
  );
}

function ObjectMark(
  props: Mark & { readonly object: MapObject; readonly isNamed: boolean; readonly isChosen: boolean },
) {
  const { object, at, isNamed, isChosen, onOpen } = props;
  const { t } = useTranslation("objectMap");
  const label = t("object", { name: object.name, state: t(`state.${object.state}`) });
  return (
    <g
      className="map-object"
      data-chosen={isChosen ? "" : undefined}
      role="button"
      tabIndex={-1}
      aria-label={label}
      transform={`translate(${String(at.x)} ${String(at.y)})`}
      onClick={onOpen}
      onKeyDown={onEnter(onOpen)}
    >
      <title>{label}</title>
      <circle r={objectRadius} />
      <g transform="translate(-7 -7) scale(1.4)">
        <StatusGlyph kind={kindOf[object.state]} />
      </g>
      {isNamed ? (
        <text x={14} y={4}>
          {object.name}
        </text>
      ) : null}
    </g>
  );
}

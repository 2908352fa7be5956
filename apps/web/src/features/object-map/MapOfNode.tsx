import { objectMap, type MapRectangle, type TreeObject } from "@metrum/contract/accounting";
import type { ReplyOf } from "@metrum/contract/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { reasonOf, useCall } from "#lib/call";
import { Skeleton } from "#ui/skeleton";
import { EmptyState, ErrorState } from "#ui/states";
import { MapCanvas } from "./MapCanvas.tsx";
import { MapSide } from "./MapSide.tsx";
import "./objectMap.css";
import { toPlane } from "./plane.ts";
import { useMap } from "./useMap.ts";

const world = { south: -85, west: -180, north: 85, east: 180, zoom: 1 };

/** The objects of a branch on a map. */
export function MapOfNode({ node }: { readonly node: TreeObject }) {
  const { t } = useTranslation("objectMap");
  const start = useCall(objectMap.start, { body: {} }, { isQuiet: true });
  const object_ids = [Number(node._id)];
  const branch = useCall(objectMap.view, { body: { ...world, object_ids } }, { isQuiet: true });
  if (!start.data || !branch.data) {
    const failed = [start, branch].find(({ error }) => error !== null);
    if (!failed) return <Skeleton height={480} />;
    const retry = () => void failed.refetch();
    return <ErrorState title={t("failed")} message={reasonOf(failed.error)} onRetry={retry} />;
  }
  const whole = around(branch.data);
  if (!whole) return <EmptyState title={t("emptyBranch")} />;
  return <Branch {...{ whole, object_ids }} start={start.data} />;
}

function Branch(props: {
  readonly whole: MapRectangle;
  readonly object_ids: number[];
  readonly start: ReplyOf<typeof objectMap.start>;
}) {
  const { whole, start } = props;
  const filter = { object_ids: props.object_ids };
  const map = useMap({ whole, filter, initial: null });
  const [chosen, setChosen] = useState<string | null>(null);
  const [place, setPlace] = useState<MapRectangle | null>(null);
  const [isListOpen, setListOpen] = useState(false);
  return (
    <section className="map-of-node">
      <div className="map-body" data-list={isListOpen ? "" : undefined}>
        <MapCanvas
          {...{ ...map, chosen }}
          tiles={{ url: start.tiles_url, attribution: start.tiles_attribution }}
          onView={map.setView}
          onObject={({ _id }) => setChosen(_id)}
          onPlace={(bounds) => {
            setPlace(bounds);
            setListOpen(true);
          }}
          onWhole={() => {
            map.setView(null);
            setPlace(null);
            setChosen(null);
          }}
        />
        <MapSide
          {...{ map, filter, chosen, place, isListOpen, setListOpen }}
          onEverywhere={() => setPlace(null)}
          onChoose={({ _id, coordinates }) => {
            setChosen(_id);
            map.setView({ ...toPlane(coordinates), zoom: Math.max(map.view.zoom, 16) });
          }}
        />
      </div>
    </section>
  );
}

/** The rectangle around all that a map shows; undefined for nothing. */
function around({ clusters, objects }: ReplyOf<typeof objectMap.view>): MapRectangle | undefined {
  const parts = [
    ...clusters.map(({ bounds }) => bounds),
    ...objects.map(({ coordinates: [latitude, longitude] }) => {
      return { south: latitude, north: latitude, west: longitude, east: longitude };
    }),
  ];
  if (parts.length === 0) return undefined;
  return {
    south: Math.min(...parts.map(({ south }) => south)),
    west: Math.min(...parts.map(({ west }) => west)),
    north: Math.max(...parts.map(({ north }) => north)),
    east: Math.max(...parts.map(({ east }) => east)),
  };
}

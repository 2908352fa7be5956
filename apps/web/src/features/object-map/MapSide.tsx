import type { MapObject, MapRectangle } from "@metrum/contract/accounting";
import { useTranslation } from "react-i18next";
import { useFormat } from "#lib/format";
import { Skeleton } from "#ui/skeleton";
import { MapList } from "./MapList.tsx";
import type { MapFilter, useMap } from "./useMap.ts";

interface Props {
  readonly map: ReturnType<typeof useMap>;
  readonly filter: MapFilter;
  readonly chosen: string | null;
  /** Only objects of this place, instead of all that the map shows. */
  readonly place: MapRectangle | null;
  readonly onEverywhere: () => void;
  readonly onChoose: (object: MapObject) => void;
  /** On a phone the list covers a part of the map. */
  readonly isListOpen: boolean;
  readonly setListOpen: (isOpen: boolean) => void;
}

/** The list beside a map. */
export function MapSide(props: Props) {
  const { map, filter, chosen, place, onEverywhere, onChoose, isListOpen, setListOpen } = props;
  const { t } = useTranslation("objectMap");
  const { number } = useFormat();
  return (
    <aside className="map-side" aria-label={t("list")}>
      <button
        type="button"
        className="map-handle"
        aria-expanded={isListOpen}
        onClick={() => setListOpen(!isListOpen)}
      >
        {t("listOf", { shown: number(map.shown?.total ?? 0, 0) })}
      </button>
      {place ? (
        <button type="button" className="map-chip" onClick={onEverywhere}>
          {t("onePlace")} {"×"}
        </button>
      ) : null}
      {map.rested ? (
        <MapList {...{ filter, chosen, onChoose }} bounds={place ?? map.bounds} />
      ) : (
        <Skeleton height={300} />
      )}
    </aside>
  );
}

import { objectMap, type MapObject, type MapRectangle } from "@metrum/contract/accounting";
import { useTranslation } from "react-i18next";
import { reasonOf, useCall } from "#lib/call";
import { useFormat } from "#lib/format";
import { nodeHref } from "#lib/screen";
import { Skeleton } from "#ui/skeleton";
import { EmptyState, ErrorState } from "#ui/states";
import { StatusGlyph } from "#ui/status";
import { kindOf } from "./states.ts";
import type { MapFilter } from "./useMap.ts";

const perPage = 100;

interface Props {
  readonly bounds: MapRectangle;
  readonly filter: MapFilter;
  readonly chosen: string | null;
  readonly onChoose: (object: MapObject) => void;
}

/** The objects that the map shows, the worst first. */
export function MapList({ bounds, filter, chosen, onChoose }: Props) {
  const { t } = useTranslation("objectMap");
  const { number } = useFormat();
  const { data, error, refetch } = useCall(
    objectMap.list,
    { body: { ...bounds, ...filter, per_page: perPage } },
    { isQuiet: true, keepsPrevious: true },
  );
  if (error && !data)
    return <ErrorState title={t("failed")} message={reasonOf(error)} onRetry={() => void refetch()} />;
  if (!data) return <Skeleton height={300} />;
  const { data: rows, total } = data.objects;
  if (total === 0) return <EmptyState title={t("nothing")} />;
  return (
    <ul className="map-list">
      {rows.map((object) => (
        <li key={object._id} data-chosen={object._id === chosen ? "" : undefined}>
          <button
            type="button"
            onClick={() => onChoose(object)}
            aria-label={t("show", { name: object.name })}
          >
            <StatusGlyph kind={kindOf[object.state]} />
            <span>
              <b>{object.name}</b>
              <small>{object.address || t("noAddress")}</small>
            </span>
            <span className="map-figures">
              {t("devices", { count: object.devices, shown: number(object.devices, 0) })}
              {object.silent > 0 ? (
                <small>{t("silent", { count: object.silent, shown: number(object.silent, 0) })}</small>
              ) : null}
            </span>
          </button>
          <a href={nodeHref(object._id)}>{t("open")}</a>
        </li>
      ))}
      {total > rows.length ? (
        <li className="map-more">{t("first", { shown: number(rows.length, 0), of: number(total, 0) })}</li>
      ) : null}
    </ul>
  );
}

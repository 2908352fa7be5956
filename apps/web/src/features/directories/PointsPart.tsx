import { consumers, suppliers, type PartyPoint } from "@metrum/contract/access";
import { transformers } from "@metrum/contract/accounting";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { reasonOf, useCall } from "#lib/call";
import { formatDateTime, useFormat } from "#lib/format";
import { pointCardHref } from "#lib/screen";
import { Button } from "#ui/button";
import { Skeleton } from "#ui/skeleton";
import { ErrorState } from "#ui/states";
import type { Kind } from "./directories.ts";

const shownFirst = 10;
const shownAll = 10_000;

/** Intervals of an entry at points. */
function usePoints(kind: Kind, id: string, per_page: number) {
  const of = (own: Kind) => ({ isQuiet: true, keepsPrevious: true, isEnabled: kind === own });
  const asked = {
    consumers: useCall(consumers.points, { body: { consumer_id: id, per_page } }, of("consumers")),
    suppliers: useCall(suppliers.points, { body: { supplier_id: id, per_page } }, of("suppliers")),
    transformers: useCall(
      transformers.points,
      { body: { transformer_id: Number(id), per_page } },
      of("transformers"),
    ),
  };
  return asked[kind];
}

/** Points of an entry by interval: those of now, then those of before. */
export function PointsPart({ kind, id }: { readonly kind: Kind; readonly id: string }) {
  const { t } = useTranslation("directories");
  const { number } = useFormat();
  const [size, setSize] = useState(shownFirst);
  const { data, error, refetch } = usePoints(kind, id, size);
  if (error && !data)
    return <ErrorState title={t("failed")} message={reasonOf(error)} onRetry={() => void refetch()} />;
  if (!data) return <Skeleton height={120} />;
  const { data: rows, total } = data.points;
  const parts = [
    ["now", rows.filter(({ to_ts }) => to_ts === null)],
    ["before", rows.filter(({ to_ts }) => to_ts !== null)],
  ] as const;
  return (
    <section className="directories-points">
      <h3>{t("points.title")}</h3>
      {total === 0 ? <p className="quiet">{t(`points.none.${kind}`)}</p> : null}
      {parts.map(([part, of]) =>
        of.length === 0 ? null : (
          <div key={part}>
            <h4>{t(`points.${part}`)}</h4>
            <ul>
              {of.map((point) => (
                <Point key={`${String(point.accounting_point_id)} ${String(point.from_ts)}`} point={point} />
              ))}
            </ul>
          </div>
        ),
      )}
      {total > rows.length && size < shownAll ? (
        <Button onClick={() => setSize(shownAll)}>{t("points.all", { shown: number(total, 0) })}</Button>
      ) : null}
    </section>
  );
}

function Point({ point }: { readonly point: PartyPoint }) {
  const { t } = useTranslation("directories");
  const { name, address, device_id, device_name, timezone, from_ts, to_ts } = point;
  const from = formatDateTime(from_ts, timezone);
  return (
    <li>
      <a href={pointCardHref(point.accounting_point_id, device_id)}>{name}</a>
      <small>{[address, device_name].filter(Boolean).join(" · ")}</small>
      <small className="directories-interval">
        {to_ts === null
          ? t("points.since", { from })
          : t("points.between", { from, to: formatDateTime(to_ts, timezone) })}
      </small>
    </li>
  );
}

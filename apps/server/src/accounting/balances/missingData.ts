import type { Balance, BalancePoint } from "@metrum/contract/accounting";
import type { Language } from "@metrum/vocabulary";
import type { Input } from "./compute.ts";
import type { LackingDays } from "./dayStore.ts";
import { dateText, said, type SentenceCode } from "./words.ts";

const mostNamed = 20;

/** Days of each series of which something is missing; days count from the first of the request. */
export const lackingOf = ({ series }: Pick<Input, "series">): LackingDays[] =>
  series.flatMap(({ member, missing }) => {
    const days = [...missing.keys()].filter((at) => missing[at]);
    return days.length === 0 ? [] : [{ point_id: member.point_id, days }];
  });

interface Around {
  readonly hasTotal: boolean;
  readonly language: Language;
  /** Days of a point on which no device was tied to it. */
  readonly unmetered: ReadonlyMap<number, number>;
}

/** Points that lack data: they explain nothing of what is computed, but keep days from being computed. */
export function missingData(points: readonly BalancePoint[], around: Around): Balance["causes"] {
  return points
    .filter(({ missing_sec }) => missing_sec > 0)
    .toSorted((a, b) => b.missing_sec - a.missing_sec)
    .slice(0, mostNamed)
    .map((point) => causeOf(point, around));
}

/** Where a device was tied on no missing day, there is nothing to request. */
function causeOf(point: BalancePoint, { hasTotal, language, unmetered }: Around): Balance["causes"][number] {
  const without = Math.min(unmetered.get(point.point_id) ?? 0, point.missing_days);
  const hasDevice = without < point.missing_days;
  const code: SentenceCode =
    without === 0
      ? point.state === "no_data"
        ? "no_data_at_all"
        : "no_data"
      : hasDevice
        ? "no_meter_some"
        : "no_meter";
  const params = {
    days: point.missing_days,
    without,
    from: dateText(point.missing_from ?? ""),
    to: dateText(point.missing_to ?? ""),
  };
  return {
    kind: "no_data",
    point_id: point.point_id,
    device_id: point.device_id,
    name: point.name,
    amount: 0,
    share: hasTotal ? 0 : null,
    severity: "warn",
    text: said(code, language, params),
    action: hasDevice ? "request" : "point",
    params,
  };
}

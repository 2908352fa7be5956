import type { AccountingPointId, FieldName } from "@metrum/vocabulary";
import { product, textOf, type Ctx } from "#core";
import { trustedSeries } from "#metering/messages";
import { ratioWithin } from "./chain.ts";
import { ratiosOf, tiesOf, type TimeSpan } from "./tieStore.ts";

/** Message type of half-hour power. */
const profileType = 5;
const halfHourSec = 1800;

/** The power that belongs to a main register; a single tariff has none. */
const powers: Readonly<Partial<Record<FieldName, FieldName>>> = {
  tariff0: "power_a_plus",
  tariff_negative0: "power_a_minus",
  tariff_reactive0: "power_r_plus",
  tariff_reactive_negative0: "power_r_minus",
};

/**
 * Mean power of points by the start of each half-hour, kW or kvar with the ratio valid then, from trusted values of the
 * devices that measured them; none of a half-hour in which the ratio changed. The points must be visible to the session. Rows: those of the profiles in the span.
 */
export async function powersOfPoints(
  ctx: Ctx,
  ids: readonly AccountingPointId[],
  span: TimeSpan,
): Promise<ReadonlyMap<AccountingPointId, ReadonlyMap<number, number>>> {
  const ratios = await ratiosOf(ctx.db, ids);
  const found = new Map(ids.map((id) => [id, new Map<number, number>()]));
  for (const { pointId, deviceId, field, from, to } of await tiesOf(ctx.db, ids, span)) {
    const name = powers[field];
    if (name === undefined) continue;
    const steps = ratios.get(pointId) ?? [];
    const values = await trustedSeries(ctx.db, ctx.parts.readingStore.sets, {
      ...{ deviceId, msgType: profileType, name },
      from: Math.max(span.from, from),
      to: Math.min(span.to, to ?? span.to) - 1,
    });
    for (const { ts, value } of values) {
      const ratio = ratioWithin(steps, { from: ts, to: ts + halfHourSec });
      if (ratio) found.get(pointId)?.set(ts, product(value, Number(textOf(ratio))));
    }
  }
  return found;
}
